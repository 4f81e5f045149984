import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const page = '<html lang=en><title>Lucky Otter</title><h1>Payment methods</h1><p>Visa card, Skrill</p>'

const readPage = (...values: string[]) =>
  spawnSync(process.execPath, [`${import.meta.dirname}/read.ts`, ...values], {
    encoding: 'utf8',
    input: page,
  })

test('the read-page command prints the findings of a page, and its usage without one', () => {
  const { status, stdout } = readPage('-', 'https://www.luckyotter.example/', '--licensed')
  expect(status).toBe(0)
  const { domain, outcome, findings } = JSON.parse(stdout)
  expect({ domain, outcome }).toEqual({
    domain: 'luckyotter.example',
    outcome: { outcome: 'completed', reason: null },
  })
  expect(findings).toContainEqual(expect.objectContaining({ section: 'payment_methods', valueKey: 'skrill' }))
  const usage = { status: 2, stdout: '', stderr: 'Usage: read-page PAGE URL [--licensed]\n' }
  expect(readPage()).toMatchObject(usage)
  expect(readPage('-', 'luckyotter')).toMatchObject(usage)
})
