import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldBrands, namesBrand } from './platform-brands.ts'

const brands = foldBrands(['copperbeam', 'Copperbeam', 'Tide Wheel', 'Ærø Spil', 'P&P', '++', '...'])

describe('a text that names a platform is recognised', () => {
  test.each([
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
  ])('%j', text => {
    expect(namesBrand(text, brands)).toBe(true)
  })

  test.each([
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
  ])('%j is not such a text', text => {
    expect(namesBrand(text, brands)).toBe(false)
  })

  test('the name may be among other words, in any spacing and case', () => {
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

  test('without reviewed platforms no text names one', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => !namesBrand(text, foldBrands([]))))
  })
})
