import { createHash } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { nameWords } from '@baize/names'

const side = 128
const initialsMax = 2
const nameCharactersMax = 200
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** With this saturation and lightness the contrast with white is at least 4.5 : 1 in every hue. */
const saturation = 48
const lightness = 32

export function drawMonogram(name: string): string {
  const shown = name.slice(0, nameCharactersMax).toWellFormed()
  const initials = initialsOf(shown)
  const digest = createHash('sha256')
    .update(nameWords(shown).join(' ') || shown)
    .digest()
  const hue = digest.readUInt16BE(0) % 360
  const size = [...initials].length > 1 ? 52 : 64
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}" role="img">`,
    `<title>${escapeXml(shown)}</title>`,
    `<rect width="${side}" height="${side}" rx="24" fill="hsl(${hue}, ${saturation}%, ${lightness}%)"/>`,
    `<text x="64" y="64" dy=".35em" fill="#fff" font-family="system-ui, sans-serif" font-weight="600"`,
    ` font-size="${size}" text-anchor="middle">${escapeXml(initials)}</text></svg>`,
  ].join('')
}

/** Returns the initials of a name: `Lucky Otter` → LO, `twofaced` → T, 〽 → 〽. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter(word => word !== '')
  const firsts = (words.length === 0 ? [name.trim()] : words).map(word => firstLetter(word))
  return firsts.slice(0, initialsMax).join('').toUpperCase()
}

function firstLetter(word: string): string {
  for (const { segment } of letters.segment(word)) return segment
  return ''
}

export function nameOfDomain(domain: string): string {
  const [label = domain] = (domainToUnicode(domain) || domain).split('.')
  return label
}

/** Escapes text for XML. Characters that XML forbids even when escaped are replaced. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
