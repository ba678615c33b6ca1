// The data of the page: JSON, compressed, in base64.
async function unpacked(node) {
  const letters = atob(node.textContent), bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

if (typeof DecompressionStream === "undefined") document.querySelector("main").textContent = "This browser cannot unpack the data of this page: Chrome from 80, Firefox from 113 and Safari from 16.4 can.";
