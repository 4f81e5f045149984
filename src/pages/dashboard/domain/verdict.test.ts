import { expect, test } from 'vitest'
import type { Verdict } from './evidence.ts'
import { scopeCell } from './scope-reason.ts'
import { verdictAnswer } from './verdict.ts'

test('a verdict without any register is shown with the note that its records were imported', () => {
  const none = { registers: 0, blocklists: 0, oldest_snapshot_at: null, as_of: '2026-11-24T00:00:00Z' }
  const verdict = {
    domain: 'a.example',
    verdict: 'no_record',
    licensed_by: [],
    blocked_by: [],
    mentioned_by: [],
    company: null,
    checked: none,
  } as unknown as Verdict
  const { text } = verdictAnswer(verdict)
  expect(text).toContain('class="notice warn"')
  expect(text).toContain('its records were imported')
  expect(text).not.toContain('never')
  expect(verdictAnswer({ ...verdict, verdict: 'licensed' }).text).not.toContain('notice')
})

test('each scope of a listing is explained, and a scope of older rules is not', () => {
  const reasonOf = (listedAs: string, scope: 'domain' | 'host' | 'path' | 'shared_host') =>
    scopeCell({ listed_as: listedAs, scope }).text.match(/class="hint">([^<]*?)\s*<a/)?.[1]
  expect(reasonOf('redkite.example', 'domain')).toBe('The list names redkite.example itself.')
  expect(reasonOf('www2.redkite.example', 'domain')).toContain('a language, device or mirror')
  expect(reasonOf('poker.bet365.com', 'domain')).toBe(
    'The list names poker.bet365.com. The name of bet365.com has a gambling word, so the whole site counts.',
  )
  expect(reasonOf('poker.morningheron.example', 'host')).toContain('may belong to another party')
  expect(reasonOf('redkite.example/casino', 'path')).toContain('one address')
  expect(reasonOf('t.me/redkite', 'shared_host')).toContain('Many parties')
  expect(reasonOf('poker.bet365.com', 'host')).toBe('')
})
