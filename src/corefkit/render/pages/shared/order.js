// How cells are ordered, on every page: numbers by size, texts as people sort them, blanks last
// whichever way a column is sorted.
function order(a, b, down = false) {
  const [none, other] = [a, b].map((value) => value === null || value === undefined || value === "");
  if (none || other) return none - other;
  const result = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  return down ? -result : result;
}
