/** Small files that are made to exhaust the time or the memory of a parser. */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import {
  packedParts,
  pdfFont,
  pdfOfObjects,
  sheetRows,
  workbookParts,
} from '../../packages/tables/test/make-files.ts'
import type { Scenario, SiteResponse } from '../small-internet/scenario.ts'

export type Bomb = { name: string; form: object; body: Buffer }

const repeated = (unit: string, bytes: number) => Buffer.alloc(bytes, unit)
const megabyte = 1_000_000

const sheet = 'xl/worksheets/sheet1.xml'
const workbookWith = (part: string, content: string) =>
  packedParts(new Map([...workbookParts({ Remote: sheetRows() }), [part, Buffer.from(content)]]))

/** Returns a PDF whose page, of half a megabyte, unpacks to 500 MB. */
function packedPdf(): Buffer {
  const packed = deflateSync(Buffer.alloc(500 * megabyte, ' ')).toString('latin1')
  const stream = `<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed}\nendstream`
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    pdfFont,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R ' +
      '/Resources << /Font << /F1 3 0 R >> >> >>',
    stream,
  ])
}

const attributes = Array.from({ length: 20_000 }, (_, index) => `<b a=${index}>`).join('')

export const registerBombs = (): Bomb[] => [
  ...Object.entries({
    rows: workbookWith(sheet, `<sheet>${'<row/>'.repeat(2_000_000)}`),
    texts: workbookWith(
      'xl/sharedStrings.xml',
      `<sst>${`<si><t>${'x'.repeat(megabyte)}</t></si>`.repeat(16)}`,
    ),
    cells: workbookWith(sheet, `<sheet>${`<row>${'<c><v>1</v></c>'.repeat(1_000)}</row>`.repeat(1_000)}`),
  }).map(([name, body]) => ({ name: `xlsx-${name}`, form: { format: 'xlsx' }, body })),
  ...Object.entries({
    depth: repeated('<a>', 2 * megabyte),
    entities: Buffer.from(
      `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(megabyte)}">]><a>${'&b;'.repeat(1_000)}</a>`,
    ),
    attributes: Buffer.from(`<a>${'<r b="c"/>'.repeat(300_000)}</a>`),
  }).map(([name, body]) => ({ name: `xml-${name}`, form: { format: 'xml', rows_at: 'r' }, body })),
  ...Object.entries({
    wide: Buffer.from(`site\n${`${','.repeat(60_000)}\n`.repeat(50)}`),
    quotes: Buffer.from(`site\n${'"'.repeat(2 * megabyte)}`),
    rows: Buffer.from(`site\n${`${'otter'.repeat(13_000)}\n`.repeat(300)}`),
  }).map(([name, body]) => ({ name: `csv-${name}`, form: { format: 'csv' }, body })),
  ...Object.entries({
    depth: repeated('[', 4 * megabyte),
    objects: Buffer.from(`[${'{"a":{}},'.repeat(megabyte)}{}]`),
  }).map(([name, body]) => ({ name: `json-${name}`, form: { format: 'json' }, body })),
  ...Object.entries({
    depth: repeated('<table><tr><td>', 2 * megabyte),
    formatting: Buffer.from(attributes + '<p>'.repeat(200_000)),
    spans: Buffer.from(`<table><tr><th>site${'<tr><td rowspan=65534 colspan=1000>x'.repeat(20_000)}</table>`),
  }).map(([name, body]) => ({ name: `html-${name}`, form: { format: 'html' }, body })),
  { name: 'pdf-packed', form: { format: 'pdf' }, body: packedPdf() },
  {
    name: 'text-line',
    form: { format: 'text', pattern: '(?<site>[a-z.]+)' },
    body: repeated('otter.', 2 * megabyte),
  },
]

export type SiteBomb = { name: string; responses: Scenario['responses']; rdap: SiteResponse | null }

const pixels = () => sharp({ create: { width: 4_096, height: 4_096, channels: 3, background: '#1f7a4d' } })
const svgOf = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/>${content}</svg>`

export async function siteBombs(): Promise<SiteBomb[]> {
  const images = [
    await pixels().webp().toBuffer(),
    await pixels().png({ progressive: true }).toBuffer(),
    await pixels().jpeg({ progressive: true }).toBuffer(),
    await pixels().gif().toBuffer(),
    Buffer.from(svgOf(`<style>.a{fill:red;stroke:blue}</style>${'<g class="a a a a"/>'.repeat(4_900)}`)),
    Buffer.from(svgOf('<g>'.repeat(100_000))),
  ]
  const pages = {
    depth: '<div>'.repeat(megabyte),
    cells: `<table>${'<a>x'.repeat(megabyte / 2)}`,
    formatting: attributes + '<p>'.repeat(200_000),
    data: `<script type="application/ld+json">${'['.repeat(2 * megabyte)}</script>`,
  }
  const logoPage =
    '<title>Otter Casino</title>' +
    '<script type="application/ld+json">{"@type":"Organization","logo":"/logo"}</script>'
  return [
    ...images.map((image, index) => ({
      name: `image-${index}`,
      responses: { '/': { html: logoPage }, '/logo': { base64: image.toString('base64') } },
      rdap: { text: '{"a":['.repeat(80_000) },
    })),
    ...Object.entries(pages).map(([name, html]) => ({
      name: `page-${name}`,
      responses: {
        '/': { html },
        '/robots.txt': { text: `User-agent: *\n${`Disallow: /${'*a'.repeat(50)}$\n`.repeat(4_000)}` },
      },
      rdap: null,
    })),
    { name: 'page-packed', responses: { '/': { unpacks_to: 200 * megabyte } }, rdap: null },
  ]
}
