import { expect, test } from 'vitest'
import { type Lobby, readLobby } from './index.ts'

type Tile = { title: string; supplier?: string; href?: string; y?: number }

const tileOf = ({ title, supplier = '', href, y = 100 }: Tile) =>
  `<li class="tile" data-box="0 ${y} 200 200"><a href="${href ?? `/game/${encodeURIComponent(title)}`}">` +
  `<img data-box="0 ${y} 200 150" src="/a.png" alt="">` +
  `<b>${title}</b></a><small>${supplier}</small></li>`
const listOf = (heading: string, tiles: Tile[]) =>
  `<section><h2>${heading}</h2><ul>${tiles.map(tileOf).join('')}</ul></section>`
const named = (prefix: string, count: number, more: Partial<Tile> = {}): Tile[] =>
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ'.slice(0, count), letter => ({
    title: `${prefix} ${letter}`,
    ...more,
  }))

const read = (steps: string[], more: Partial<Parameters<typeof readLobby>[0]> = {}): Lobby =>
  readLobby({
    url: 'https://otter.example/',
    steps,
    frames: [],
    viewportHeight: 900,
    hasSeenEnd: true,
    ...more,
  })

test('a lobby is read with its sections, positions, suppliers and what stands above the fold', () => {
  const { sections, games } = read([
    listOf('New games', [
      { title: 'Otter Reels', supplier: 'NetEnt' },
      ...named('Heron', 5, { supplier: 'Wazdan' }),
    ]) + listOf('Roulette', named('Lynx', 6, { supplier: 'Heron Works', y: 1_000 })),
  ])
  expect(sections).toEqual([
    { name: 'New games', kind: 'new', gamesSeen: 6, isComplete: true },
    { name: 'Roulette', kind: 'category', gamesSeen: 6, isComplete: true },
  ])
  expect(games[0]).toEqual({
    section: 0,
    position: 1,
    title: 'Otter Reels',
    supplier: 'NetEnt',
    supplierSlug: 'netent',
    match: 'shown',
    isAboveFold: true,
    isRepeat: false,
  })
  expect(games[6]).toMatchObject({ section: 1, position: 1, title: 'Lynx A', isAboveFold: false })
})

const slides = (count: number, more: { href?: string; y?: number; width?: number; step?: number } = {}) => {
  const { href = '/game/1', y = 80, width = 900, step = 0 } = more
  const slide = (title: string, at: number) =>
    `<div class="slide" data-box="${step === 0 ? at * width : 0} ${y + at * step} ${width} 320">` +
    `<a href="${href}"><img data-box="0 ${y} ${width} 320" src="/a.png" alt="${title}"></a>` +
    `<b>${title}</b></div>`
  const titles = [
    'Otter Rapids',
    'Heron Dawn',
    'Lynx Gold',
    'Badger Club',
    'Stoat Fever',
    'Marten Mine',
    'Vole Vault',
  ]
  return `<div class="carousel">${titles.slice(0, count).map(slide).join('')}</div>`
}
const page = (content: string) => `<body data-box="0 0 1366 4000">${content}</body>`

test.each([
  ['seven slides', 7],
  ['three slides that all lead to games', 3],
])('the row of large slides above the fold is the hero: %s', (_what, count) => {
  const { sections } = read([page(slides(count) + listOf('Slots', named('Vole', 8, { supplier: 'NetEnt' })))])
  expect(sections.map(({ name, kind, gamesSeen }) => [name, kind, gamesSeen])).toEqual([
    [null, 'hero', count],
    ['Slots', 'category', 8],
  ])
})

test.each([
  ['small tiles', slides(7, { width: 220 }), ['other', 'category']],
  ['slides below the fold', slides(7, { y: 1_200 }), ['other', 'category']],
  ['a column of large tiles', slides(7, { step: 340 }), ['other', 'category']],
  ['three banners of promotions', slides(3, { href: '/promotions/1' }), ['category']],
  ['three banners that lead to no game', slides(3, { href: '/hello' }), ['category']],
  ['a named row of large slides', `<h2>Live casino</h2>${slides(7)}`, ['live', 'category']],
])('no hero: %s', (_what, html, kinds) => {
  const { sections } = read([page(html + listOf('Slots', named('Vole', 8, { supplier: 'NetEnt' })))])
  expect(sections.map(({ kind }) => kind)).toEqual(kinds)
})

test('a virtual list that drops rows keeps the order of its games', () => {
  const games = named('Otter', 24, { supplier: 'NetEnt' })
  const steps = [0, 6, 12].map(from => listOf('Slots', games.slice(from, from + 12)))
  expect(read(steps).games.map(({ title }) => title)).toEqual(games.map(({ title }) => title))
})

test('a game in a second section is a repeat, and a clone in its own section is not counted', () => {
  const top = named('Otter', 6, { supplier: 'NetEnt' })
  const { games } = read([
    listOf('Top', [...top, top[0] as Tile]) +
      listOf('Slots', [...top.slice(3), ...named('Lynx', 4, { supplier: 'NetEnt' })]),
  ])
  expect(games.filter(({ section }) => section === 0)).toHaveLength(6)
  expect(games.filter(({ isRepeat }) => isRepeat).map(({ title }) => title)).toEqual([
    'Otter D',
    'Otter E',
    'Otter F',
  ])
})

test('a known title states its studio where the lobby names none', () => {
  const { games } = read([
    listOf('Slots', [{ title: 'Starburst' }, { title: 'Book of Dead' }, ...named('Otter', 6)]),
  ])
  expect(
    games.slice(0, 3).map(({ supplier, supplierSlug, match }) => [supplier, supplierSlug, match]),
  ).toEqual([
    [null, 'netent', 'known_title'],
    [null, 'play-n-go', 'known_title'],
    [null, null, 'none'],
  ])
})

test.each([
  'Play Otter Reels by NetEnt',
  'Otter Reels – NetEnt',
  'Otter Reels (NetEnt)',
  'Spela Otter Reels av NetEnt',
])('the label "%s" names a title and its supplier', label => {
  const others = named('Heron', 6).map(({ title }) => label.replace('Otter Reels', title))
  const buttons = [label, ...others]
    .map(each => `<button data-game="1" aria-label="${each}"></button>`)
    .join('')
  expect(read([`<h2>Slots</h2><div>${buttons}</div>`]).games[0]).toMatchObject({
    title: 'Otter Reels',
    supplier: 'NetEnt',
    match: 'shown',
  })
})

test.each<[what: string, heading: string, href: string]>([
  ['goods', 'New in', '/product/1'],
  ['promotions', 'Promotions', '/promotions/1'],
  ['articles', 'News', '/game/1'],
  ['the winners of a casino', 'Recent big wins', '/game/1'],
  ['providers', 'Our providers', '/provider/1'],
])('tiles of %s are no games', (_what, heading, href) => {
  expect(read([listOf(heading, named('Otter', 8, { href }))]).games).toEqual([])
})

test('a button for more and the end of scrolling make a section incomplete', () => {
  const tiles = named('Otter', 8, { supplier: 'NetEnt' })
  const withMore = listOf('Slots', tiles).replace('</h2>', '</h2><a href="/all">See all</a>')
  expect(read([withMore]).sections[0]?.isComplete).toBe(false)
  expect(read([listOf('Slots', tiles)], { hasSeenEnd: false }).sections[0]?.isComplete).toBe(false)
})

test('more than 12 sections and more than 500 games are left out, and the lobby says so', () => {
  const many = Array.from({ length: 14 }, (_, index) =>
    listOf(`Slots ${'abcdefghijklmn'[index]}`, named(`Otter ${index}`, 6, { supplier: 'NetEnt' })),
  )
  const cut = read([many.join('')])
  expect([cut.sections.length, cut.isCut]).toEqual([12, true])
  const tiles = Array.from({ length: 600 }, (_, index) => ({ title: `Otter ${index}`, supplier: 'NetEnt' }))
  const full = read([listOf('Slots', tiles)])
  expect([full.games.length, full.isCut, full.sections[0]?.isComplete]).toEqual([500, true, false])
})

test('a page without tiles has no games, however deep or broken it is', () => {
  for (const html of [
    '',
    '<img>',
    '<div>'.repeat(20_000),
    '<a><a><a><img><img>',
    '<ul><li><img><li><img></ul>',
  ])
    expect(read([html]).games).toEqual([])
})
