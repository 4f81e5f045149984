import { fileOfBytes, type SourceFile } from '@baize/tables'
import { expect, test } from 'vitest'
import { findStream } from '../streams.ts'
import { gather, rejectTexts } from './gather.ts'

const read = (file: SourceFile) => {
  const stream = findStream('us_new_jersey.sites')
  if (stream === undefined) throw new Error('no stream us_new_jersey.sites')
  return gather(stream.read([file]))
}

/**
 * The page imitates the Division's markup: anchors, styles, entities in names, and a holder's name across
 * the table.
 */
const page = `<!doctype html>
<html>
<body>
<table>
<tr><td><img src="arrow.gif" /></td><td colspan="2"><a href="#otter">Otter&#8217;s Hall</a></td></tr>
<tr><td colspan="3" bgcolor="#63CFFF"><strong>OTTER&#8217;S HALL</strong></td></tr>
<tr>
<td><a name="otter"></a>1.</td>
<td><img src="mark.jpg" /></td>
<td>play.lucky-otter.example</td>
</tr>
<tr>
<td>2.</td>
<td><img src="mark.jpg" /></td>
<td>golden-heron.example/en/casino, <span>golden-heron.example/en/poker</span></td>
</tr>
<tr><td> </td><td> </td><td> </td></tr>
<tr><td colspan="3"><strong>HERON HOTEL &amp; SPA</strong></td></tr>
<tr><td>1.</td><td><img src="mark.jpg" /></td><td><a name="fox"></a>nj.red-fox.example, soon</td></tr>
</table>
</body>
</html>`

test("the numbered rows of New Jersey's page are its sites, and a cell can have several hosts", async () => {
  const sites = await read(fileOfBytes('page.html', page, 7))
  expect(sites.authorisation.map(row => [row.recordKey, row.domain, row.licenseeKey])).toEqual([
    ['play.lucky-otter.example', 'lucky-otter.example', null],
    ['golden-heron.example', 'golden-heron.example', null],
    ['nj.red-fox.example', 'red-fox.example', null],
  ])
  expect(rejectTexts(sites.reject)).toEqual(['duplicate golden-heron.example/en/poker', 'no_dot soon'])
  expect(sites.reject.map(each => each.line)).toEqual([12, 19])
})

test('the sports page of New Jersey names a brand before each address', async () => {
  const table =
    '<table><tr><td colspan="2"><strong>OTTER PARK</strong></td></tr>' +
    '<tr><td>Otter Bet</td><td>https://sportsbook.otter.example/</td></tr>' +
    '<tr><td>Rules</td><td>N.J.A.C. 13:69</td></tr><tr><td>Mail</td><td>info@heron.example</td></tr></table>'
  const sites = await read(fileOfBytes('page.html', `<!doctype html><html><body>${table}</body></html>`))
  expect(sites.authorisation.map(row => row.recordKey)).toEqual(['sportsbook.otter.example'])
  expect(sites.reject).toEqual([])
})

test("a plain list of New Jersey's sites gives the same records as the page", async () => {
  const list = await read(
    fileOfBytes('sites.txt', '20260503 09:20\nplay.lucky-otter.example/\nnj.red-fox.example\n'),
  )
  expect(list.authorisation.map(row => row.recordKey)).toEqual([
    'play.lucky-otter.example',
    'nj.red-fox.example',
  ])
})

test("a page of another kind than New Jersey's is refused", async () => {
  const other = '<!doctype html><html><body><h1>503</h1><table><tr><td>1.</td></tr></table></body></html>'
  await expect(read(fileOfBytes('page.html', other))).rejects.toThrow(
    'expected rows with the column site, found none',
  )
})
