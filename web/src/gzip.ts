/**
 * Unpack files that ship as `.gz`.
 *
 * Some servers take them for packed copies of other files, and let the browser unpack them.
 */

function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Return the contents of a file, unpacked as they come; `seen` is told of each piece. */
export async function unpacked(
  body: ReadableStream<Uint8Array>,
  seen: (bytes: number) => void = () => undefined,
): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const first = await reader.read();
  const whole = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.value !== undefined) {
        seen(first.value.byteLength);
        controller.enqueue(first.value);
      } else {
        controller.close();
      }
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
        return;
      }
      seen(value.byteLength);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  if (first.value === undefined || !isPacked(first.value)) return whole;
  const unpack = new DecompressionStream("gzip") as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
  return whole.pipeThrough(unpack);
}
