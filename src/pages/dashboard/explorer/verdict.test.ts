import { expect, test } from 'vitest'
import { verdictAnswer } from './verdict.ts'

test('without a register of its own the service says that its records were imported', () => {
  const none = { registers: 0, blocklists: 0, oldest_snapshot_at: null, as_of: '2026-11-24T00:00:00Z' }
  const verdict = {
    domain: 'a.example',
    verdict: 'no_record',
    licensed_by: [],
    blocked_by: [],
    mentioned_by: [],
    company: null,
    checked: none,
  }
  const { text } = verdictAnswer(verdict)
  expect(text).toContain('class="notice warn"')
  expect(text).toContain('its records were imported')
  expect(text).not.toContain('never')
  expect(verdictAnswer({ ...verdict, verdict: 'licensed' }).text).not.toContain('notice')
})
