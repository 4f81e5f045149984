import type { SourceFile } from '../stream.ts'

/**
 * The first character that is no blank, for streams whose source comes in more than one form: `<`, `{` and `[` tell markup
 * and JSON from rows. Empty for a file of blanks.
 */
export async function firstCharacter(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of file.open()) {
    const start = decoder.decode(chunk, { stream: true }).trimStart()
    if (start !== '') return start.slice(0, 1)
  }
  return ''
}
