import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { type FailureCode, failureCatalogue } from '../src/core/failure.ts'
import { failuresOf } from '../src/http/openapi/failures-of.ts'

// A house rule: no failure that a customer can meet today is without a test that names it.

const root = resolve(import.meta.dirname, '..')

/** Codes of operations that come later. Who writes the first operation that raises one takes it from this list. */
const later: FailureCode[] = []

/** The catalogue itself, and the examples of openapi.json, name every code and raise none. */
const namesAll = ['src/core/failure.ts', 'src/http/openapi/failure-examples.ts']
/** Go through the catalogue code by code, and so prove nothing of any one of them. */
const notByName = [
  'test/failures-covered.test.ts',
  'test/errors-documented.test.ts',
  'src/http/docs.test.ts',
  'src/http/openapi.test.ts',
]

const files = ['src', 'test'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => join(folder, path).replaceAll('\\', '/'))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') })),
)
const production = files.filter(
  ({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts') && !namesAll.includes(path),
)
const tests = files.filter(({ path }) => path.endsWith('.test.ts') && !notByName.includes(path))

const naming = (where: typeof files, code: string) =>
  where.filter(({ text }) => new RegExp(`\\b${code}\\b`).test(text)).map(({ path }) => path)

describe.each(Object.keys(failureCatalogue) as FailureCode[])('%s', code => {
  if (later.includes(code)) {
    test('is raised by nothing yet', () => {
      const raising = naming(production, code)
      expect(raising, `${code} is raised now: write its test, and take it from the list "later"`).toEqual([])
    })
  } else {
    test('is raised by something, and a test names it', () => {
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

test('no operation declares a failure that comes later', () => {
  const declared = catalogue.flatMap(operation => failuresOf(operation).filter(code => later.includes(code)))
  expect(declared).toEqual([])
})
