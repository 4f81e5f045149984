import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slugCharactersMax, slugOf, slugPattern, slugWithDigest } from './slug.ts'

describe('slugOf', () => {
  test.each([
    ['Lucky Otter', 'lucky-otter'],
    ['  LUCKY—otter! ', 'lucky-otter'],
    ['Lucky Otter™', 'lucky-otter'],
    ['Pebble & Pike', 'pebble-pike'],
    ['Glücksfall', 'glucksfall'],
    ['Ørebet', 'orebet'],
    ["Janus' Play", 'janus-play'],
    ['lucky-otter', 'lucky-otter'],
  ])('the slug of %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test.each([
    ['Казино 777', 'Казино Ривьера 777'],
    ['Bet+', 'Bet'],
    ['!!!', '???'],
    [`${'Very '.repeat(40)}Long`, `${'Very '.repeat(41)}Long`],
  ])('%j and %j have different slugs', (one, other) => {
    expect(slugOf(one)).not.toBe(slugOf(other))
  })

  test('the slug of any name is valid and short enough, and is the slug of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), name => {
        const slug = slugOf(name)
        expect(slug).toMatch(new RegExp(slugPattern))
        expect(slug.length).toBeLessThanOrEqual(slugCharactersMax)
        expect(slugOf(slug)).toBe(slug)
      }),
    )
  })

  test('a slug with a digest differs from the plain slug, and is the slug of itself', () => {
    expect(slugWithDigest('acme', 'co_1')).toMatch(/^acme-[0-9a-f]{8}$/)
    expect(slugWithDigest('acme', 'co_1')).not.toBe(slugWithDigest('acme', 'co_2'))
  })
})
