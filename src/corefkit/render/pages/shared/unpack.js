// The data of the page: JSON, compressed, in base64.
async function unpacked(node) {
  const bytes = Uint8Array.from(atob(node.textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

if (typeof DecompressionStream === "undefined") document.querySelector("main").textContent = "This browser cannot unpack the data of this page: Chrome from 80, Firefox from 113 and Safari from 16.4 can.";
