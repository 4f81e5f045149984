import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { type FailureCode, failureCatalogue } from '../src/core/failure.ts'
import { failuresOf } from '../src/http/openapi/describe-refusals.ts'
import { exampleBody } from '../src/http/openapi/failure-examples.ts'

const directory = new URL('../docs/errors/', import.meta.url)
const files = (await readdir(directory)).filter(file => file !== 'README.md')
const codes = Object.keys(failureCatalogue) as FailureCode[]
const defaultBaseUrl = 'http://localhost:8080'

/** Codes that paths answer, and no operation. */
const edgeCodes: FailureCode[] = [
  'route_not_found',
  'method_not_allowed',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'signed_out',
  'forged_request',
  'budget_exceeded',
]
const answered = new Set([...edgeCodes, ...catalogue.flatMap(failuresOf)])
const reservedNote = '> No operation of this version answers this code yet'

const read = (name: string) => readFile(new URL(name, directory), 'utf8')
const factOf = (page: string, name: string) =>
  page.match(new RegExp(`^- \\*\\*${name}:\\*\\* (.+)$`, 'm'))?.[1]
const isEmpty = (details: object) => Object.keys(details).length === 0

type Example = { errors: { code: string; details: object } }

test('every error code has a page, and every error page has a code', () => {
  expect(files.toSorted()).toEqual(codes.map(code => `${code}.md`).toSorted())
})

describe.each(codes)('the page docs/errors/%s.md', code => {
  test(`the page docs/errors/${code}.md has the title and the status of the catalogue`, async () => {
    const page = await read(`${code}.md`)
    expect(page.split('\n')[0]).toBe(`# ${code}`)
    expect(factOf(page, 'Status')).toBe(String(failureCatalogue[code].status))
  })

  test(`docs/errors/${code}.md states what to do, whether to retry and what was charged`, async () => {
    const page = await read(`${code}.md`)
    for (const fact of ['Charged', 'Retry', 'Specification']) expect(factOf(page, fact)).toBeTruthy()
    for (const heading of ['What happened', 'Example', 'What to do'])
      expect(page).toContain(`\n## ${heading}\n\n`)
  })

  test(`the page docs/errors/${code}.md shows an answer with the code and explains its details`, async () => {
    const page = await read(`${code}.md`)
    const { errors, ...body } = exampleBody(code, defaultBaseUrl) as Example
    expect(errors).toEqual({ code, details: expect.any(Object) })
    expect(body).toEqual({
      success: false,
      // The message may contain a value of the details.
      message: isEmpty(errors.details) ? failureCatalogue[code].message : expect.any(String),
      doc_url: `${defaultBaseUrl}/docs/errors/${code}`,
      timestamp: '2026-03-01T12:00:00.000Z',
    })
    for (const member of Object.keys(errors.details)) expect(page).toContain(`\n| \`${member}\` | `)
  })

  test(`the page docs/errors/${code}.md states whether an operation answers the code yet`, async () => {
    expect((await read(`${code}.md`)).includes(reservedNote)).toBe(!answered.has(code))
  })
})

test('links between the pages about errors are valid', async () => {
  for (const file of [...files, 'README.md']) {
    for (const [, href = ''] of (await read(file)).matchAll(/\]\(([^)#]+)\)/g)) {
      expect(existsSync(new URL(href, directory)), `${file} → ${href}`).toBe(true)
    }
  }
})
