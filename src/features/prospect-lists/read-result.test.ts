import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contact, fullResult, resultOf, target } from './fixture.ts'
import { readResult, resultBytesMax } from './read-result.ts'
import type { ProspectListResult } from './result-schema.ts'

type Mutable = Record<string, unknown>

/** A full result with the value at a path put in place of what is there; undefined takes it away. */
function changed(changes: Record<string, unknown>): unknown {
  const copy = structuredClone(fullResult)
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.')
    const last = names.pop() as string
    const parent = names.reduce((at, name) => at[name] as Mutable, copy as unknown as Mutable)
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return copy
}

function problems(value: unknown): string[] {
  const read = readResult(value)
  return read.ok ? [] : read.problems
}

test('a result with everything, and one with nothing that may be left out, are taken as they are', () => {
  expect(readResult(fullResult)).toEqual({ ok: true, result: fullResult })
  expect(readResult(resultOf())).toMatchObject({ ok: true })
})

const first = 'target_accounts.0'
const firstContact = 'target_accounts.0.key_contacts.0'

test('the documented result is one', async () => {
  const page = await readFile(new URL('../../../docs/prospect-lists.md', import.meta.url), 'utf8')
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  expect(readResult(JSON.parse(text))).toMatchObject({ ok: true })
})

describe('each problem names the path of its value', () => {
  test.each<[string, string, unknown]>([
    ['the result: "note" is none of its members', 'note', 'x'],
    ['the result: "executive_summary" is missing', 'executive_summary', undefined],
    [
      'the result: "executive_sumary" is none of its members; did you mean "executive_summary"?',
      'executive_sumary',
      'x',
    ],
    ['schema_version: takes 1', 'schema_version', 2],
    ['schema_version: takes integer', 'schema_version', '1'],
    ['executive_summary: takes text that is not blank', 'executive_summary', ' \n '],
    ['request_interpretation: "why" is none of its members', 'request_interpretation.why', 'x'],
    ['target_accounts[0]: "website" is missing', `${first}.website`, undefined],
    [
      'target_accounts[0].website: takes a host, or an http(s) URL',
      `${first}.website`,
      'javascript:alert(1)',
    ],
    ['target_accounts[0].name: takes string', `${first}.name`, null],
    ['target_accounts[0].name: takes text that is not blank, on one line', `${first}.name`, 'a\nb'],
    ['target_accounts[0].name: holds half a character', `${first}.name`, '\ud83d'],
    ['target_accounts[0].brands[1]: takes string', `${first}.brands`, ['a', 7]],
    [
      'target_accounts[0].licences[1]: "licence_type" is missing',
      `${first}.licences.1.licence_type`,
      undefined,
    ],
    ['target_accounts[0].key_contacts: takes 1 or more, and has fewer', `${first}.key_contacts`, []],
    ['target_accounts[0].key_contacts[0]: "phone" is none of its members', `${firstContact}.phone`, '1'],
    [
      'target_accounts[0].key_contacts[0].contact_channels[0]: takes an e-mail address',
      `${firstContact}.contact_channels`,
      ['+44 20 1'],
    ],
    [
      'target_accounts[0].key_contacts[0].contact_channels: says the same at [0] and [1]',
      `${firstContact}.contact_channels`,
      ['a@b.example', 'a@b.example'],
    ],
    [
      'target_accounts[0].key_contacts[0].professional_profile_url: takes an http(s) URL',
      `${firstContact}.professional_profile_url`,
      'people.example/in/a',
    ],
    [
      'target_accounts[0].key_contacts[0].contact_ref: takes letters, digits and . _ : - behind the first',
      `${firstContact}.contact_ref`,
      '=1',
    ],
    [
      'target_accounts: takes 100 at most, and has more',
      'target_accounts',
      Array.from({ length: 101 }, (_, at) => target(`t${at}`)),
    ],
  ])('%s', (problem, path, value) => {
    expect(problems(changed({ [path]: value }))).toContain(problem)
  })

  test('several problems are told together', () => {
    const value = changed({ schema_version: 3, [`${first}.name`]: '', [`${firstContact}.role`]: 5 })
    expect(problems(value)).toHaveLength(3)
  })
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['a text', 'x'],
])('%s is no result', (_, value) => {
  expect(problems(value)).not.toEqual([])
})

test('a result that is nested without end, or larger than a line of a file, is refused', () => {
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  expect(problems({ ...fullResult, deep: nested })).toEqual(['the result: is nested too deeply'])
  expect(problems({ ...fullResult, long: 'x'.repeat(resultBytesMax) })[0]).toMatch(
    /^the result: takes 921600 bytes of JSON at most, and has \d+$/,
  )
})

describe('refs name one thing in a list', () => {
  test('no target twice', () => {
    expect(
      problems(resultOf(target('a'), target('b'), target('a', { key_contacts: [contact('x')] }))),
    ).toEqual(['target_accounts[2].target_ref: "a" stands at target_accounts[0].target_ref already'])
  })

  test('nobody twice at one target', () => {
    expect(problems(resultOf(target('a', { key_contacts: [contact('c'), contact('c')] })))).toEqual([
      'target_accounts[0].key_contacts[1].contact_ref: "c" stands at this target already',
    ])
  })

  test('one person at two targets, but not two people', () => {
    const at = (ref: string, name: string) => target(ref, { key_contacts: [contact('c', { name })] })
    expect(problems(resultOf(at('a', 'Ada'), at('b', 'Ada')))).toEqual([])
    expect(problems(resultOf(at('a', 'Ada'), at('b', 'Bob')))).toEqual([
      'target_accounts[1].key_contacts[0].contact_ref: "c" is "Ada" at target_accounts[0].key_contacts[0].contact_ref',
    ])
  })
})

test('whatever JSON comes, it is taken or refused with reasons, and never anything else', () => {
  const members = [...Object.keys(fullResult), 'target_ref', 'key_contacts', '__proto__', 'constructor']
  const anything = fc.object({ key: fc.constantFrom(...members), maxDepth: 4, withNullPrototype: true })
  fc.assert(
    fc.property(anything, value => {
      const read = readResult(JSON.parse(JSON.stringify(value)))
      if (!read.ok) expect(read.problems.length).toBeGreaterThan(0)
      else expect((read.result satisfies ProspectListResult).schema_version).toBe(1)
    }),
  )
})
