import type { FastifyInstance } from 'fastify'
import type { RawQuery } from '../read-parameters.ts'

/** Forms of pages, up to this size. */
const formBytesMax = 256 * 1024

/** Parses forms into texts; a name that is sent twice is a list. */
export function parseForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytesMax },
    (_request, body, done) => done(null, textsOf(new URLSearchParams(String(body)))),
  )
}

/** Empty fields are left out: a browser sends every field of a form. */
function textsOf(parameters: URLSearchParams): RawQuery {
  const texts = new Map<string, string[]>()
  for (const [name, text] of parameters) {
    const known = texts.get(name) ?? []
    if (text !== '') texts.set(name, [...known, text])
  }
  return Object.fromEntries(
    [...texts].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  )
}
