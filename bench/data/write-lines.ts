import { open } from 'node:fs/promises'

const linesAtOnce = 10_000

/** Writes `count` lines, which are made a few thousand at a time. */
export async function writeLines(
  file: string,
  count: number,
  line: (number: number) => string,
): Promise<void> {
  await using handle = await open(file, 'w')
  for (let start = 1; start <= count; start += linesAtOnce) {
    const size = Math.min(linesAtOnce, count - start + 1)
    await handle.write(`${Array.from({ length: size }, (_, index) => line(start + index)).join('\n')}\n`)
  }
}
