const plain = `a about above after again against all also although am an and any anyone anything are aren
as at be became because become becomes been before being below between both but by can cannot come
could did do does doesn doing don down during each either else ever every few for from further get
gets give given gives go goes had has have having he her here his how however i if in instead into is
isn it its itself just like made make makes many may me might more most much must my near need needs
neither no nobody nor not nothing of off often on once one only onto or other our out over own per
please same several shall she should since so some somebody someone something somewhere still such
take taken takes tell than that the their them themselves then there these they thing things this
those though through thus to together too toward under until up upon us very via was way we well were
what whatever when where whether which while who whole whom whose why will with within without won
would yet you your yours`;

/**
 * Words that ask about code and rarely stand in it: they count, but little. Counted in
 * full they draw every file that has a comment.
 */
const asking = `actual actually behave behaviour behavior belong belongs code decide decided decides
defined defines definition exactly explain happen happened happens implement implementation
implemented implements kind know known knows logic mean means part place possible really
responsible say says see sort stand stands used uses using usage work working works
able applies apply apart around aside bring brought care cares certain cope copes deal dealing deals dealt
done elsewhere enough entire even found going hand hands hold holds involve involved keep keeping keeps
kept lead leads leave leaves left let lets look looking looks matter matters moment nobody notice noticed
particular person put puts quite rather rid seem seems show shows shown soon told treat treated treats turn
turned turns two unless various want wanted wants ways whenever newcomer concerned halfway ordinary somehow certain come comes came`;

export const stopWords: ReadonlySet<string> = new Set(plain.split(/\s+/));

export const askingWords: ReadonlySet<string> = new Set(asking.split(/\s+/));
