/** Splits the text of a script into tokens of data. The time is linear in the text. */
export type DataToken = {
  /** A sign such as `{`, a word such as `true`, or the content of a string. */
  text: string
  isString: boolean
  /** Is true if a colon follows. */
  isBeforeColon: boolean
}

const sticky = { blanks: /\s*/y, word: /!?[\w$.-]+/y }

/** Ends at a string without an end. */
export function* tokensOf(text: string): Generator<DataToken> {
  const matchAt = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? ''
  }
  const isColonAt = (at: number) => text[at + matchAt(sticky.blanks, at).length] === ':'
  for (let at = 0; at < text.length; ) {
    const sign = text[at] as string
    if (sign === '"' || sign === "'" || sign === '`') {
      const end = endOfString(text, at)
      if (end < 0) return
      yield { text: text.slice(at + 1, end), isString: true, isBeforeColon: isColonAt(end + 1) }
      at = end + 1
      continue
    }
    const word = matchAt(sticky.word, at)
    if (word !== '') yield { text: word, isString: false, isBeforeColon: isColonAt(at + word.length) }
    else if (sign.trim() !== '') yield { text: sign, isString: false, isBeforeColon: false }
    at += Math.max(1, word.length)
  }
}

/** Returns -1 if the string does not end. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[start]) return at
  }
  return -1
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** Replaces the escapes of a string's content. */
export const unescaped = (content: string): string =>
  content.includes('\\')
    ? content.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, four, two, sign) =>
        sign === undefined
          ? String.fromCharCode(Number.parseInt(four ?? two, 16))
          : (escapes[sign as string] ?? sign),
      )
    : content
