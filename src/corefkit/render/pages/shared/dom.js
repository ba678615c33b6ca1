// Small helpers. Text from files is only ever set as text, never as HTML.

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "style") for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

const percent = (value, digits = 2) => (value === null || value === undefined ? "" : (100 * value).toFixed(digits));
const many = (number, word, words = word + "s") => `${number.toLocaleString("en")} ${number === 1 ? word : words}`;
const isolated = (text) => `\u2068${text}\u2069`;

// Colours of entities: hues a golden angle apart, so that neighbours differ.
function colour(number) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return `hsl(${(number * 137.508) % 360} 70% ${dark ? 65 : 40}%)`;
}

function download(name, type, text) {
  const link = el("a", { href: `data:${type};charset=utf-8,${encodeURIComponent(text)}`, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}
