import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldBrands, namesBrand } from './platform-brands.ts'

const brands = foldBrands(['copperbeam', 'Copperbeam', 'Tide Wheel', 'Ærø Spil', 'P&P', '++', '...'])

describe('recognition of platform names in a text', () => {
  test('a platform is recognised in any spelling of its name, and no other text is', () => {
    const naming = [
      'copperbeam',
      'COPPERBEAM',
      'Cöpperbeam',
      'copper beam',
      'c o p p e r b e a m',
      'copper\u200bbeam',
      'Copper-Beam',
      'copperbeam.com',
      'casinos on Copperbeam, please',
      'Copperbeam Systems AB',
      'tidewheel',
      'my tide_wheel casino',
      'aero spil',
      'ＣＯＰＰＥＲＢＥＡＭ',
      'p&p',
      'P & P bookmakers',
      'p and p',
      'copper+beam',
      'copper $ beam',
      ' ++ ',
      '...',
    ]
    const others = [
      'copper',
      'beam copper',
      'copperbeams',
      'supercopperbeam',
      'tide',
      'wheel tide',
      'p p',
      '',
      '&&',
      '🎰',
    ]
    const isRecognised = (text: string) => namesBrand(text, brands)
    expect(naming.filter(isRecognised)).toEqual(naming)
    expect(others.filter(isRecognised)).toEqual([])
  })

  test('a platform name is recognised among other words, in any spacing and case', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnop'), minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.array(word, { maxLength: 4 }),
        fc.array(word, { maxLength: 4 }),
        fc.constantFrom(' ', '-', '_', ', '),
        (name, before, after, blank) => {
          const text = [...before, name.join(blank).toUpperCase(), ...after].join(' ')
          return namesBrand(text, foldBrands([name.join(' ')]))
        },
      ),
    )
  })

  test('no text is recognised as a platform until staff have reviewed one', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => !namesBrand(text, foldBrands([]))))
  })
})
