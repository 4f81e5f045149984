import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { drawMonogram, nameOfDomain } from './monogram.ts'
import { readSvg } from './read-svg.ts'

const initials = (name: string) => /<text[^>]*>(.*)<\/text>/.exec(drawMonogram(name))?.[1]

const initialsByName = [
  ['Lucky Otter', 'LO'],
  ['twofaced', 'T'],
  ['Pebble & Pike Betting', 'PP'],
  ['élan vital', 'ÉV'],
  ['казино ривьера', 'КР'],
  ['日本', '日'],
  ['777', '7'],
  ['!!!', '!'],
  ['<script>alert(1)</script>', 'SA'],
  ['"&<', '&quot;'],
] as const

test('a monogram shows the initials of the name', () => {
  expect(initialsByName.map(([name]) => [name, initials(name)])).toEqual(initialsByName)
})

test('a monogram has the same colour for all spellings of a name', () => {
  const colour = (name: string) => /hsl\([^)]*\)/.exec(drawMonogram(name))?.[0]
  expect(colour('LUCKY otter')).toBe(colour('Lucky Otter'))
  expect(drawMonogram('Lucky Otter')).toBe(drawMonogram('Lucky Otter'))
  const colours = new Set(Array.from({ length: 100 }, (_, index) => colour(`Casino ${index}`)))
  expect(colours.size).toBeGreaterThan(60)
})

test('a monogram has a contrast of at least 4.5 : 1 in every hue', () => {
  const [, saturation, lightness] = /hsl\(\d+, (\d+)%, (\d+)%\)/.exec(drawMonogram('x')) ?? []
  for (let hue = 0; hue < 360; hue += 1) {
    const luminance = luminanceOf(hue, Number(saturation) / 100, Number(lightness) / 100)
    expect(1.05 / (luminance + 0.05), `hue ${hue}`).toBeGreaterThanOrEqual(4.5)
  }
})

function luminanceOf(hue: number, saturation: number, lightness: number): number {
  const span = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const step = (offset + hue / 30) % 12
    const value = lightness - span * Math.max(-1, Math.min(step - 3, 9 - step, 1))
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4)
}

test('a monogram is an allowed SVG for every name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), name => {
      const drawn = drawMonogram(name)
      const parser = new SaxesParser({ xmlns: true })
      parser.on('error', fail)
      parser.write(drawn).close()
      // The drawing has no element other than its own, so no part of a name became one.
      expect(readSvg(drawn).text.match(/<\w+/g)).toEqual(drawn.match(/<\w+/g))
    }),
  )
})

function fail(error: Error): never {
  throw error
}

test.each([
  ['unknown.example', 'unknown'],
  ['xn--glcksfall-r9a.example', 'glücksfall'],
  ['bet.co.uk', 'bet'],
])("the monogram's name for the domain %s is %s", (domain, name) => {
  expect(nameOfDomain(domain)).toBe(name)
})
