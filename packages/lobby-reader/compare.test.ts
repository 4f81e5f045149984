import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ComparedLobby, compareLobbies } from './compare.ts'
import { countShares } from './shares.ts'

const lobby = (titles: string[], { isComplete = true } = {}): ComparedLobby => ({
  sections: [{ name: 'Slots', gamesSeen: titles.length, isComplete }],
  games: titles.map((title, index) => ({ section: 0, position: index + 1, title, supplierSlug: null })),
})
const titlesOf = (changes: readonly { title: string }[]) => changes.map(({ title }) => title)

test('a game that shifts only because another entered has not moved', () => {
  const { entered, left, moved } = compareLobbies(lobby(['a', 'b', 'c']), lobby(['x', 'a', 'b', 'c']))
  expect([titlesOf(entered), titlesOf(left), titlesOf(moved)]).toEqual([['x'], [], []])
})

test('a game that overtakes others has moved, and they have not', () => {
  const { moved } = compareLobbies(lobby(['a', 'b', 'c', 'd']), lobby(['d', 'a', 'b', 'c']))
  expect(moved).toEqual([{ section: 'Slots', title: 'd', supplierSlug: null, before: 4, after: 1 }])
})

test('a game that an incomplete section does not show has not left', () => {
  const whole = lobby(['a', 'b', 'c'])
  expect(titlesOf(compareLobbies(whole, lobby(['a', 'b'])).left)).toEqual(['c'])
  expect(compareLobbies(whole, lobby(['a', 'b'], { isComplete: false })).left).toEqual([])
  expect(compareLobbies(lobby(['a', 'b'], { isComplete: false }), lobby(['a', 'b', 'c'])).entered).toEqual([])
})

const titles = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 16 })

test('entered, left and moved games explain each change of a complete section', () => {
  fc.assert(
    fc.property(titles, titles, (before, after) => {
      const { entered, left, moved } = compareLobbies(lobby(before), lobby(after))
      expect(new Set(titlesOf(entered))).toEqual(new Set(after.filter(title => !before.includes(title))))
      expect(new Set(titlesOf(left))).toEqual(new Set(before.filter(title => !after.includes(title))))
      const unmoved = (list: string[]) =>
        list.filter(each => !titlesOf([...entered, ...left, ...moved]).includes(each))
      expect(unmoved(after)).toEqual(unmoved(before))
    }),
  )
})

test('shares count distinct titles, and say of how many', () => {
  const game = (title: string, supplierSlug: string | null, position = 1, isAboveFold = true) => ({
    title,
    supplierSlug,
    position,
    isAboveFold,
  })
  const games = [
    game('Otter', 'netent', 3),
    game('Otter', 'netent', 1, false),
    game('Heron', 'wazdan', 2, false),
    game('Lynx', null),
  ]
  expect(countShares(games)).toEqual({
    titles: 3,
    titlesAboveFold: 2,
    shares: [
      { supplierSlug: 'netent', games: 1, share: 0.3333, shareAboveFold: 0.5, bestPosition: 1 },
      { supplierSlug: 'wazdan', games: 1, share: 0.3333, shareAboveFold: 0, bestPosition: 2 },
    ],
  })
})
