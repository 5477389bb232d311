import { describe, expect, it } from 'vitest';
import type { TestFormat } from './find-runner.ts';
import { readResults } from './read-results.ts';

/** What runners print of one test that passes, one that fails and one that is left out. */
const printed: Readonly<Record<Exclude<TestFormat, 'other'>, string>> = {
  vitest: `
 ❯ a.test.js (3 tests | 1 failed | 1 skipped) 24ms
   ✓ adds 6ms
     × fails here 14ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  a.test.js > suite > fails here
AssertionError: expected 1 to be 2 // Object.is equality

- Expected
+ Received

 ❯ a.test.js:4:36
      4|   it('fails here', () => expect(1).toBe(2));

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed | 1 skipped (3)
   Start at  04:24:41
`,
  jest: `
FAIL ./a.test.js
  ✓ adds (2 ms)
  suite
    ✕ fails here (3 ms)
    ○ skipped later

  ● suite › fails here

    expect(received).toBe(expected) // Object.is equality

    > 4 |   it('fails here', () => expect(1).toBe(2));

      at Object.toBe (a.test.js:4:36)
      at new Promise (<anonymous>)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 skipped, 1 passed, 3 total
`,
  mocha: `
  ✔ adds
  suite
    1) fails here
    - later

  1 passing (5ms)
  1 pending
  1 failing

  1) suite
       fails here:
      AssertionError [ERR_ASSERTION]: 1 == 2
      at Context.<anonymous> (a.test.js:4:36)
      at process.processImmediate (node:internal/timers:476:21)
`,
  node: `TAP version 13
ok 1 - adds
    # Subtest: fails here
    not ok 1 - fails here
      ---
      duration_ms: 1.016778
      location: '/roots/work/a.test.js:4:3'
      failureType: 'testCodeFailure'
      error: '1 == 2'
      ...
    ok 2 - later # SKIP
not ok 2 - suite
  ---
  location: '/roots/work/a.test.js:3:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# tests 3
# suites 1
# pass 1
# fail 1
# cancelled 0
# skipped 1
# todo 0
`,
  pytest: `.Fs                                                                    [100%]
=================================== FAILURES ===================================
_____________________________ TestSuite.test_fails _____________________________
tests/test_a.py:4: in test_fails
    assert 1 == 2, "not the same"
E   AssertionError: not the same
=========================== short test summary info ============================
FAILED tests/test_a.py::TestSuite::test_fails - AssertionError: not the same
1 failed, 1 passed, 1 skipped in 0.04s
`,
  unittest: `F.s
======================================================================
FAIL: test_bad (tests.test_b.B.test_bad)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/roots/work/tests/test_b.py", line 4, in test_bad
    self.assertEqual(1, 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 3 tests in 0.000s

FAILED (failures=1, skipped=1)
`,
  cargo: `running 3 tests
test tests::adds ... ok
test tests::later ... ignored
test tests::fails ... FAILED

---- tests::fails stdout ----

thread 'tests::fails' (9035) panicked at src/lib.rs:4:18:
assertion \`left == right\` failed: not the same

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.28s
`,
  go: `=== RUN   TestAdds
--- PASS: TestAdds (0.00s)
=== RUN   TestSuite
=== RUN   TestSuite/fails_here
    a_test.go:4: got 1
--- FAIL: TestSuite (0.00s)
    --- FAIL: TestSuite/fails_here (0.00s)
=== RUN   TestLater
    a_test.go:9: x
--- SKIP: TestLater (0.00s)
FAIL
FAIL\texample.org/g/sub\t0.003s
FAIL
`,
  maven: `[INFO]  T E S T S
[INFO] Running org.example.TaxTest
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.347 s <<< FAILURE! -- in org.example.TaxTest
[ERROR] org.example.TaxTest.fails -- Time elapsed: 0.059 s <<< FAILURE!
java.lang.AssertionError: expected:<3> but was:<2>
\tat org.junit.Assert.fail(Assert.java:89)
\tat org.example.TaxTest.fails(TaxTest.java:5)
\tat java.base/java.lang.reflect.Method.invoke(Method.java:569)

[INFO] Results:
[INFO] 
[ERROR] Failures: 
[ERROR]   TaxTest.fails:5 expected:<3> but was:<2>
[INFO] 
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1
[INFO] 
[INFO] BUILD FAILURE
`,
  gradle: `> Task :test FAILED

org.example.TaxTest > fails FAILED
    java.lang.AssertionError: expected:<3> but was:<2>
        at TaxTest.java:5

3 tests completed, 1 failed, 1 skipped
`,
};
const expected: Readonly<Record<keyof typeof printed, string>> = {
  vitest: 'suite > fails here at a.test.js:4: AssertionError: expected 1 to be 2',
  jest: 'suite > fails here at a.test.js:4: expect(received).toBe(expected)',
  mocha: 'suite > fails here at a.test.js:4: AssertionError [ERR_ASSERTION]: 1 == 2',
  node: 'fails here at /roots/work/a.test.js:4: 1 == 2',
  pytest: 'TestSuite > test_fails at tests/test_a.py:4: AssertionError: not the same',
  unittest: 'tests.test_b.B.test_bad at /roots/work/tests/test_b.py:4: AssertionError: 1 != 2',
  cargo: 'tests::fails at src/lib.rs:4: assertion `left == right` failed: not the same',
  go: 'TestSuite/fails_here at example.org/g/sub/a_test.go:4: got 1',
  maven:
    'org.example.TaxTest.fails at org/example/TaxTest.java:5: java.lang.AssertionError: expected:<3> but was:<2>',
  gradle:
    'org.example.TaxTest > fails at org/example/TaxTest.java:5: java.lang.AssertionError: expected:<3> but was:<2>',
};
const formats = Object.keys(printed) as (keyof typeof printed)[];

describe('readResults()', () => {
  it.each(formats)('reads counts and the failing test of %s', (format) => {
    for (const known of [format, 'other'] as const) {
      const { counts, failures } = readResults(known, printed[format]);
      expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
      const shown = failures.map(
        ({ name, path, line, message }) => `${name} at ${path}:${line}: ${message}`,
      );
      expect(shown).toEqual([expect.stringContaining(expected[format])]);
    }
  });

  it('reads the form of an older Surefire', () => {
    const old = `Running TaxTest
Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.07 sec <<< FAILURE!
fails(TaxTest)  Time elapsed: 0.008 sec  <<< FAILURE!
java.lang.AssertionError: expected:<3> but was:<2>
\tat TaxTest.fails(TaxTest.java:5)

Failed tests:   fails(TaxTest): expected:<3> but was:<2>

Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
`;
    expect(readResults('maven', old)).toEqual({
      counts: { passed: 1, failed: 1, skipped: 0 },
      failures: [
        {
          ...{ name: 'TaxTest.fails', path: 'TaxTest.java', line: 5 },
          message: 'java.lang.AssertionError: expected:<3> but was:<2>',
        },
      ],
    });
  });

  it('reads the other form of node, with colours', () => {
    const spec = `\u001b[32m✔ adds (0.7ms)\u001b[39m
✖ suite (2.6ms)
ℹ tests 2
ℹ pass 1
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0

✖ failing tests:

test at a.test.js:5:3
✖ fails here (0.71ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
`;
    expect(readResults('node', spec)).toEqual({
      counts: { passed: 1, failed: 1, skipped: 0 },
      failures: [
        {
          ...{ name: 'fails here', path: 'a.test.js', line: 5 },
          message: 'AssertionError [ERR_ASSERTION]: 1 == 2',
        },
      ],
    });
  });

  it('names a package of Go that does not build', () => {
    const text = '# example.org/g\n./a.go:3:1: syntax error\nFAIL\texample.org/g [build failed]\n';
    expect(readResults('go', text)).toMatchObject({ failures: [{ name: 'example.org/g' }] });
  });

  it('gives no counts where nothing of a known form is printed', () => {
    expect(readResults('other', 'all good\n')).toEqual({ failures: [] });
    expect(readResults('vitest', 'Error: cannot find module\n')).toEqual({ failures: [] });
  });
});
