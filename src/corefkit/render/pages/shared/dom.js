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

const percent = (value, digits = DIGITS) => (value === null || value === undefined ? "" : (100 * value).toFixed(digits));
const many = (number, word, words = word + "s") => `${number.toLocaleString("en")} ${number === 1 ? word : words}`;
const isolated = (text) => `\u2068${text}\u2069`;

// Colours of entities: hues a golden angle apart, so that neighbours differ, each as light as is
// readable on the paper and on the shade of a chosen row, in both themes. Number 0 and below: none.
const SHADES = { light: [243, 245, 247], dark: [32, 37, 43] }, READABLE = 4.6;

function colour(number) {
  if (number <= 0) return "var(--muted)";
  const hue = (number * 137.508) % 360;
  return `light-dark(${shade(hue, "light")}, ${shade(hue, "dark")})`;
}

const shades = new Map();
function shade(hue, theme) {
  const name = `${theme} ${hue}`;
  if (!shades.has(name)) {
    const step = theme === "dark" ? 1 : -1, behind = luminance(SHADES[theme]);
    let lightness = 52;
    while (contrast(luminance(fromHsl(hue, .72, lightness / 100)), behind) < READABLE) lightness += step;
    shades.set(name, `rgb(${fromHsl(hue, .72, lightness / 100).map(Math.round).join(" ")})`);
  }
  return shades.get(name);
}

function fromHsl(hue, saturation, lightness) {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((place) => {
    const turn = (place + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  });
}

// Relative luminance and contrast as WCAG 2 defines them.
function luminance(channels) {
  const [red, green, blue] = channels.map((channel) => { const c = channel / 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; });
  return .2126 * red + .7152 * green + .0722 * blue;
}

const contrast = (one, other) => (Math.max(one, other) + .05) / (Math.min(one, other) + .05);

function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` })), link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
