import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { imageBytesMax, readImage } from './read-image.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#1f7a4d' } })
const read = async (bytes: Uint8Array) => {
  const { format, width, height } = await readImage(bytes)
  return { format, width, height }
}
const rejectionOf = (bytes: Uint8Array | string) =>
  readImage(Buffer.from(bytes as string)).then(
    () => null,
    error => `${error.name}: ${error.message}`,
  )

describe.each(['png', 'jpeg', 'webp', 'gif'] as const)('a %s image', format => {
  test('an image is detected by its bytes, with its size, and stored unchanged', async () => {
    const bytes = await plain(30, 20).toFormat(format).toBuffer()
    expect(await readImage(bytes)).toEqual({ bytes, format, width: 30, height: 20 })
  })

  test('a truncated image is rejected', async () => {
    const noise = await sharp({
      create: {
        width: 64,
        height: 64,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .toFormat(format)
      .toBuffer()
    expect(await rejectionOf(noise.subarray(0, noise.length >> 1))).toMatch(
      `BadImage: is not a complete ${format}`,
    )
  })
})

test('a rotated photograph has its displayed size', async () => {
  const bytes = await plain(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await read(bytes)).toEqual({ format: 'jpeg', width: 20, height: 30 })
})

test('an SVG is rewritten, with or without a byte order mark', async () => {
  const svg = '<svg viewBox="0 0 4 2"><path d="M0 0h4v2z"/><script/></svg>'
  for (const bytes of [Buffer.from(svg), Buffer.from(`\ufeff \n${svg}`)]) {
    const image = await readImage(bytes)
    expect(image).toMatchObject({ format: 'svg', width: 4, height: 2 })
    expect(Buffer.from(image.bytes).toString()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><path d="M0 0h4v2z"/></svg>',
    )
  }
})

describe('rejected images', () => {
  test('a file that is not an allowed image is rejected with the reason', async () => {
    const rows: [what: string, bytes: string | Uint8Array, reason: string][] = [
      ['an empty file', '', 'is empty'],
      ['text', 'Lucky Otter', 'is not an SVG, PNG, JPEG, WebP or GIF'],
      ['a page', '<!doctype html><html><body>404</body></html>', 'is not well-formed XML'],
      ['a document', '%PDF-1.7', 'is not an SVG'],
      ['an SVG in UTF-16', Buffer.from('\ufeff<svg/>', 'utf16le'), 'is not an SVG'],
      ['a gzipped SVG', Buffer.from([0x1f, 0x8b, 8, 0]), 'is not an SVG'],
      ['a bitmap', Buffer.from('BM6\0\0\0'), 'is not an SVG'],
      ['a truncated PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'is not a complete png'],
      ['a PNG that begins like a GIF', 'GIF89a\x89PNG', 'is not a complete gif'],
      ['a large SVG', `<svg><path d="${'M0 0'.repeat(140_000)}"/></svg>`, 'is an SVG of more than'],
    ]
    const results = await Promise.all(rows.map(async ([what, bytes]) => [what, await rejectionOf(bytes)]))
    expect(results).toEqual(
      rows.map(([what, , reason]) => [what, expect.stringContaining(`BadImage: ${reason}`)]),
    )
  })

  test('an image of more than 2 MiB is rejected', async () => {
    expect(await rejectionOf(Buffer.alloc(imageBytesMax + 1))).toBe('BadImage: has more than 2097152 bytes')
  })

  test('an image of too many pixels is rejected, even in a small file', async () => {
    const bomb = await plain(8_000, 8_000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(imageBytesMax)
    expect(await rejectionOf(bomb)).toMatch(/^BadImage: .*pixel/)
  })
})
