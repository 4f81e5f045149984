import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const role = (...title: string[]) =>
  spawnSync(process.execPath, [`${import.meta.dirname}/role.ts`, ...title], { encoding: 'utf8' })

test('the role command prints the reading of a title, and its usage without one', () => {
  const { status, stdout } = role('Head', 'of', 'Payments')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    roleKeys: ['payments', 'decision_makers'],
    seniority: 'head',
    function: 'payments',
  })
  expect(role()).toMatchObject({ status: 2, stdout: '', stderr: 'Usage: role TITLE\n' })
})
