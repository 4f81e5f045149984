/** Decodes the bytes of a page by its byte order mark, header or `meta` element, as browsers do. */

/** Limits the characters of a page to about four times the largest measured home page of a casino. */
const pageCharactersMax = 2_000_000
const bytesPerCharacterMax = 4
/**
 * Limits the search for `meta`. Browsers search 1,024 bytes, but comments and styles can precede the
 * element.
 */
const declarationBytesMax = 4_096

export function decodePage(body: Uint8Array, contentType: string | undefined): string {
  const bytes = body.subarray(0, pageCharactersMax * bytesPerCharacterMax)
  const label = markedEncoding(bytes) ?? knownEncoding(contentType) ?? declaredEncoding(bytes)
  const text = label === null ? decodeUndeclared(bytes) : new TextDecoder(label).decode(bytes)
  return text.slice(0, pageCharactersMax)
}

function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return null
}

function declaredEncoding(bytes: Uint8Array): string | null {
  const beginning = new TextDecoder('windows-1252').decode(bytes.subarray(0, declarationBytesMax))
  const meta = /<meta\b[^>]{0,300}?charset[^>]{0,60}/i.exec(beginning)?.[0]
  const label = knownEncoding(meta)
  // A declaration that can be read as ASCII proves that the page is not in UTF-16.
  return label?.startsWith('utf-16') ? 'utf-8' : label
}

function knownEncoding(text: string | undefined): string | null {
  const label = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text ?? '')?.[1]
  if (label === undefined) return null
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}

/** Uses `stream`, because the body can end within a character. */
function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
