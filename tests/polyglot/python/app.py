import wit_world
from wit_world import exports
from wit_world.exports import text as text_types
from componentize_py_types import Err

class WitWorld(wit_world.WitWorld):
    def add(self, a: int, b: int) -> int:
        return a + b

class Text(exports.Text):
    def stats_of(self, text: str):
        words = text.split()
        return text_types.Stats(len(words), max(words, key=len) if words else None)
    def halve(self, n: int):
        if n % 2:
            raise Err(f"{n} is odd")
        return n // 2
