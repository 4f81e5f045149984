import { expect, test } from 'vitest'
import { openPageReader } from '../page/read-page-in-thread.ts'
import { isUrlAllowed } from './allowed-url.ts'

const taskOf = (text: string, url: string) => ({
  body: Buffer.from(text),
  finalUrl: 'https://otter.example/robots.txt',
  product: 'Baize',
  url,
})
const isAllowed = (text: string, url: string) => isUrlAllowed(taskOf(text, url))
const rules = 'User-agent: *\nDisallow: /members/*/wallet\nAllow: /members/me/wallet\n'

test('robots.txt counts for its domain and the www of it, and for no other host', () => {
  expect(isAllowed(rules, 'https://otter.example/members/one/wallet?tab=1')).toBe(false)
  expect(isAllowed(rules, 'https://www.otter.example/members/one/wallet')).toBe(false)
  expect(isAllowed(rules, 'https://otter.example/members/me/wallet')).toBe(true)
  expect(isAllowed(rules, 'https://images.otter.example/members/one/wallet')).toBe(true)
})

test('rules beyond 512 KiB of robots.txt do not count', () => {
  const comments = `# a comment\n`.repeat(50_000)
  expect(isAllowed(`${comments}${rules}`, 'https://otter.example/members/one/wallet')).toBe(true)
  expect(isAllowed(`${rules}${comments}`, 'https://otter.example/members/one/wallet')).toBe(false)
})

test('a robots.txt that takes too long or too much memory disallows everything', async () => {
  const agents = Array.from({ length: 10_000 }, (_, agent) => `User-agent: a${agent}\n`).join('')
  const hostile = `${agents}${'Disallow: /a\n'.repeat(20_000)}`
  const reader = openPageReader()
  expect(await reader.isUrlAllowed(taskOf(hostile, 'https://otter.example/'))).toBe(false)
  expect(await reader.isUrlAllowed(taskOf('', 'https://otter.example/'))).toBe(true)
})
