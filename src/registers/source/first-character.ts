import type { SourceFile } from '../stream.ts'

/** Without white space; distinguishes markup and JSON from rows. '' if there is none. */
export async function firstCharacter(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of file.open()) {
    const start = decoder.decode(chunk, { stream: true }).trimStart()
    if (start !== '') return start.slice(0, 1)
  }
  return ''
}
