/** Limits a message far above the largest answer of a tool. */
const messageCharactersMax = 8 * 1024 * 1024

/** Returns the JSON texts of an answer: one, or those of an event stream while they arrive. */
export async function* readMessages({ headers, body }: Response): AsyncGenerator<string> {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > messageCharactersMax) throw new Error('The answer is too long.')
    if (!isStream) continue
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter(line => line.startsWith('data:'))
      const text = lines.map(line => line.slice('data:'.length)).join('\n')
      if (text.trim() !== '') yield text
    }
  }
  if (!isStream && rest.trim() !== '') yield rest
}
