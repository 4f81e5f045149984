import { expect, test } from 'vitest'
import { findLobbyLinks } from './index.ts'

const links = (html: string) => findLobbyLinks(html, 'https://otter.example/')

test.each([
  ['Casino', 'en'],
  ['Spielautomaten', 'de'],
  ['Gry kasynowe', 'pl'],
  ['Machines à sous', 'fr'],
  ['Καζίνο', 'el'],
  ['Казино', 'bg'],
  ['スロット', 'ja'],
  ['Automaty', 'cs'],
  ['Kolikkopelit', 'fi'],
])('the link "%s" leads to the lobby (%s)', label => {
  expect(links(`<a href="/help">FAQ</a><a href="/lobby">${label}</a>`)).toEqual([
    'https://otter.example/lobby',
  ])
})

test('the surest word comes first, and links of other sites and other texts are left out', () => {
  const html = `<a href="/g">Games</a><a href="/c">Casino</a><a href="https://heron.example/">Casino</a>
    <a href="/about">About our casino and its long history</a><a href="mailto:a@otter.example">Casino</a>`
  expect(links(html)).toEqual(['https://otter.example/c', 'https://otter.example/g'])
})
