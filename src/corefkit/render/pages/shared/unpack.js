// The data of the page: JSON, compressed, in base64.
async function unpacked(node) {
  const letters = atob(node.textContent), bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

if (typeof DecompressionStream === "undefined") document.querySelector("main").textContent = "This browser cannot unpack the data of this page; Chrome 80, Firefox 113 and Safari 16.4 or later can.";
