const answerCharactersMax = 20_000

/** What a browser's passkey answered, as JSON; the library checks it. null: it is none. */
export function readAnswer<Answer extends { id: string }>(text: string): Answer | null {
  if (text.length > answerCharactersMax) return null
  try {
    const answer: unknown = JSON.parse(text)
    const isAnswer = typeof answer === 'object' && answer !== null && 'id' in answer
    return isAnswer && typeof answer.id === 'string' ? (answer as unknown as Answer) : null
  } catch {
    return null
  }
}
