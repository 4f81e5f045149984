import type { SourceFile } from '../stream.ts'

/** The first character that is not white space: `<`, `{` and `[` distinguish markup and JSON from rows. */
export async function firstCharacter(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of file.open()) {
    const start = decoder.decode(chunk, { stream: true }).trimStart()
    if (start !== '') return start.slice(0, 1)
  }
  return ''
}
