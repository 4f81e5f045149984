/** The lines of a stream. null stands for a line that is longer than `charactersMax`; its text is dropped. */
export async function* readLines(
  input: NodeJS.ReadStream,
  charactersMax: number,
): AsyncGenerator<string | null> {
  let rest = ''
  let isTooLong = false
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      yield isTooLong || line.length > charactersMax ? null : line
      isTooLong = false
    }
    isTooLong ||= rest.length > charactersMax
    if (isTooLong) rest = ''
  }
  yield isTooLong ? null : rest
}
