import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contact, fullResult, listResult, target } from './fixture.ts'
import { readResult, resultBytesMax } from './read-result.ts'
import type { ProspectListResult } from './result-schema.ts'

type Mutable = Record<string, unknown>

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

test('results of lists with and without optional members are accepted unchanged', () => {
  expect(readResult(fullResult)).toEqual({ ok: true, result: fullResult })
  expect(readResult(listResult())).toMatchObject({ ok: true })
})

const first = 'target_accounts.0'
const firstContact = 'target_accounts.0.key_contacts.0'

test('the documented result of a list is valid', async () => {
  const page = await readFile(new URL('../../../docs/prospect-lists.md', import.meta.url), 'utf8')
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  expect(readResult(JSON.parse(text))).toMatchObject({ ok: true })
})

test('each problem of a result starts with the path of its value', () => {
  const rows: [problem: string, path: string, value: unknown][] = [
    ['result: "note" is not a known member', 'note', 'x'],
    ['result: "executive_summary" is missing', 'executive_summary', undefined],
    [
      'result: "executive_sumary" is not a known member; did you mean "executive_summary"?',
      'executive_sumary',
      'x',
    ],
    ['schema_version: must be 1', 'schema_version', 2],
    ['schema_version: must be integer', 'schema_version', '1'],
    ['executive_summary: must be non-blank text', 'executive_summary', ' \n '],
    ['request_interpretation: "why" is not a known member', 'request_interpretation.why', 'x'],
    ['target_accounts[0]: "website" is missing', `${first}.website`, undefined],
    [
      'target_accounts[0].website: must be a host, or an http(s) URL',
      `${first}.website`,
      'javascript:alert(1)',
    ],
    ['target_accounts[0].name: must be string', `${first}.name`, null],
    ['target_accounts[0].name: must be non-blank text on one line', `${first}.name`, 'a\nb'],
    ['target_accounts[0].name: contains half of a surrogate pair', `${first}.name`, '\ud83d'],
    ['target_accounts[0].brands[1]: must be string', `${first}.brands`, ['a', 7]],
    [
      'target_accounts[0].licences[1]: "licence_type" is missing',
      `${first}.licences.1.licence_type`,
      undefined,
    ],
    ['target_accounts[0].key_contacts: must have at least 1 item', `${first}.key_contacts`, []],
    ['target_accounts[0].key_contacts[0]: "phone" is not a known member', `${firstContact}.phone`, '1'],
    [
      'target_accounts[0].key_contacts[0].contact_channels[0]: must be an e-mail address',
      `${firstContact}.contact_channels`,
      ['+44 20 1'],
    ],
    [
      'target_accounts[0].key_contacts[0].contact_channels: has equal items at [0] and [1]',
      `${firstContact}.contact_channels`,
      ['a@b.example', 'a@b.example'],
    ],
    [
      'target_accounts[0].key_contacts[0].professional_profile_url: must be an http(s) URL',
      `${firstContact}.professional_profile_url`,
      'people.example/in/a',
    ],
    [
      'target_accounts[0].key_contacts[0].contact_ref: ' +
        'must be letters, digits and . _ : -, starting with a letter or digit',
      `${firstContact}.contact_ref`,
      '=1',
    ],
    [
      'target_accounts: must have at most 100 items',
      'target_accounts',
      Array.from({ length: 101 }, (_, at) => target(`t${at}`)),
    ],
  ]
  const reported = rows.map(([, path, value]) => problems(changed({ [path]: value })))
  expect(reported).toEqual(rows.map(([problem]) => expect.arrayContaining([problem])))
})

test('all problems of a result are reported', () => {
  const value = changed({ schema_version: 3, [`${first}.name`]: '', [`${firstContact}.role`]: 5 })
  expect(problems(value)).toHaveLength(3)
})

test.each([
  ['undefined', undefined],
  ['null', null],
  ['a list', []],
  ['a string', 'x'],
])('%s is not accepted as a result', (_, value) => {
  expect(problems(value)).not.toEqual([])
})

test('a large result is rejected with its first problem alone', () => {
  const strangers = Object.fromEntries(Array.from({ length: 20_000 }, (_, name) => [`member${name}`, [name]]))
  expect(problems({ ...fullResult, ...strangers })).toEqual([
    'result: "member0" is not a known member',
    'result: is large, so that further problems are not listed',
  ])
})

test('a result that is nested too deeply or too large is rejected', () => {
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  expect(problems({ ...fullResult, deep: nested })).toEqual(['result: is nested too deeply'])
  expect(problems({ ...fullResult, long: 'x'.repeat(resultBytesMax) })[0]).toMatch(
    /^result: must have at most 921600 bytes of JSON, and has \d+$/,
  )
})

describe('duplicate refs in a result', () => {
  test('a result with the same target_ref twice is rejected', () => {
    expect(
      problems(listResult(target('a'), target('b'), target('a', { key_contacts: [contact('x')] }))),
    ).toEqual(['target_accounts[2].target_ref: "a" is already used by target_accounts[0].target_ref'])
  })

  test('a result with the same contact_ref twice at one target is rejected', () => {
    expect(problems(listResult(target('a', { key_contacts: [contact('c'), contact('c')] })))).toEqual([
      'target_accounts[0].key_contacts[1].contact_ref: "c" is already used by this target',
    ])
  })

  test('a result with different names for a contact_ref at two targets is rejected', () => {
    const at = (ref: string, name: string) => target(ref, { key_contacts: [contact('c', { name })] })
    expect(problems(listResult(at('a', 'Ada'), at('b', 'Ada')))).toEqual([])
    expect(problems(listResult(at('a', 'Ada'), at('b', 'Bob')))).toEqual([
      'target_accounts[1].key_contacts[0].contact_ref: "c" is "Ada" at ' +
        'target_accounts[0].key_contacts[0].contact_ref',
    ])
  })
})

test('any JSON is either accepted as a result, or rejected with problems', () => {
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
