import { expect, test } from 'vitest'
import { dataMembers } from './envelope.ts'

const body = (data: string) =>
  `{"success":true,"message":"OK","data":{${data}},"timestamp":"2026-01-01T00:00:00.000Z"}`

test.each([
  ['', ''],
  ['"credits_charged":3', ''],
  ['"rows":[{"a":1}],"credits_charged":3', '"rows":[{"a":1}]'],
  // The text contains a member of another object, and text that looks like members.
  ['"billing":{"credits_charged":3}', '"billing":{"credits_charged":3}'],
  [
    '"input":"\\"data\\":{ \\"credits_charged\\":7","credits_charged":1',
    '"input":"\\"data\\":{ \\"credits_charged\\":7"',
  ],
  ['"input":"},\\"timestamp\\":\\"","credits_charged":1', '"input":"},\\"timestamp\\":\\""'],
  // These are members of answers to the demo key.
  ['"credits_charged":0,"demo":true,"simulated":true', '"demo":true,"simulated":true'],
  [
    '"rows":[],"credits_charged":0,"demo":true,"_demo_redactions":{"paths":["credits_charged"]}',
    '"rows":[],"demo":true,"_demo_redactions":{"paths":["credits_charged"]}',
  ],
])('dataMembers returns the members of data from a body, without the charge: %s', (data, members) => {
  expect(dataMembers(body(data)).toString()).toBe(members)
  expect(dataMembers(Buffer.from(body(data))).toString()).toBe(members)
  expect(() => JSON.parse(`{${members}}`)).not.toThrow()
})
