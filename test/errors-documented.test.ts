import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { type FailureCode, failureCatalogue } from '../src/core/failure.ts'
import { exampleBody } from '../src/http/openapi/failure-examples.ts'
import { failuresOf } from '../src/http/openapi/failures-of.ts'

const directory = new URL('../docs/errors/', import.meta.url)
const files = (await readdir(directory)).filter(file => file !== 'README.md')
const codes = Object.keys(failureCatalogue) as FailureCode[]
const defaultBaseUrl = 'http://127.0.0.1:8080'

/** Answered by paths, not by an operation. */
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
const firstJson = (page: string): unknown => JSON.parse(page.match(/```json\n([\s\S]*?)```/)?.[1] ?? 'null')

test('every code has a page, and every page a code', () => {
  expect(files.toSorted()).toEqual(codes.map(code => `${code}.md`).toSorted())
})

describe.each(codes)('docs/errors/%s.md', code => {
  test('has the title and the status of the catalogue', async () => {
    const page = await read(`${code}.md`)
    expect(page.split('\n')[0]).toBe(`# ${code}`)
    expect(factOf(page, 'Status')).toBe(String(failureCatalogue[code].status))
  })

  test('states what happened, what to do, whether to retry and what was charged', async () => {
    const page = await read(`${code}.md`)
    for (const fact of ['Charged', 'Retry', 'Specification']) expect(factOf(page, fact)).toBeTruthy()
    for (const heading of ['What happened', 'Example', 'What to do'])
      expect(page).toContain(`\n## ${heading}\n\n`)
  })

  test('shows the example of openapi.json, and explains each of its details', async () => {
    const page = await read(`${code}.md`)
    const body = exampleBody(code, defaultBaseUrl) as { errors: { details: object } }
    expect(firstJson(page)).toEqual(body)
    for (const member of Object.keys(body.errors.details)) expect(page).toContain(`\n| \`${member}\` | `)
  })

  test('states whether an operation answers the code yet', async () => {
    expect((await read(`${code}.md`)).includes(reservedNote)).toBe(!answered.has(code))
  })

  test('is in the index with its status and message', async () => {
    const { status, message } = failureCatalogue[code]
    expect(await read('README.md')).toContain(`| [\`${code}\`](${code}.md) | ${status} | ${message} |`)
  })
})

test('links between the pages are valid', async () => {
  for (const file of [...files, 'README.md']) {
    for (const [, href = ''] of (await read(file)).matchAll(/\]\(([^)#]+)\)/g)) {
      expect(existsSync(new URL(href, directory)), `${file} → ${href}`).toBe(true)
    }
  }
})
