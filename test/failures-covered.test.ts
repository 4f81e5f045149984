import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { type FailureCode, failureCatalogue } from '../src/core/failure.ts'
import { failuresOf } from '../src/http/openapi/describe-refusals.ts'

// Checks a house rule: every failure that an operation can raise has a test that names it.

const root = resolve(import.meta.dirname, '..')

/** Codes of future operations. Remove a code here with the first operation that raises it. */
const later: FailureCode[] = []

/** This file declares each code, so it proves nothing about a single one. */
const declaring = 'src/core/failure.ts'
/** These files iterate over all codes, so they prove nothing about a single one. */
const notByName = [
  'test/failures-covered.test.ts',
  'test/errors-documented.test.ts',
  'src/http/docs/docs.test.ts',
  'src/http/openapi/openapi.test.ts',
]

const files = ['src', 'test'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => join(folder, path).replaceAll('\\', '/'))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') })),
)
const production = files.filter(
  ({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts') && path !== declaring,
)
const tests = files.filter(({ path }) => path.endsWith('.test.ts') && !notByName.includes(path))

const naming = (where: typeof files, code: string) =>
  where.filter(({ text }) => new RegExp(`\\b${code}\\b`).test(text)).map(({ path }) => path)

describe.each(Object.keys(failureCatalogue) as FailureCode[])('%s', code => {
  if (later.includes(code)) {
    test(`the future failure ${code} is not raised yet`, () => {
      const raising = naming(production, code)
      expect(raising, `${code} is raised now: write its test, and take it from the list "later"`).toEqual([])
    })
  } else {
    test(`the failure ${code} is raised, and a test names it`, () => {
      expect(
        naming(production, code),
        `${code} is raised by nothing: put it on the list "later"`,
      ).not.toEqual([])
      expect(
        naming(tests, code),
        `no test names ${code}: write one that meets it as a customer would`,
      ).not.toEqual([])
    })
  }
})

test('no operation declares a future failure', () => {
  const declared = catalogue.flatMap(operation => failuresOf(operation).filter(code => later.includes(code)))
  expect(declared).toEqual([])
})
