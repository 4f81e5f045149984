import { describe, expect, test } from 'vitest'
import { studiosOn } from './fixture.ts'

describe('tiles of games', () => {
  test.each([
    ['the label of a button', '<button aria-label="Play Razor by Wazdan"><img alt=""></button>', ['wazdan']],
    ['the label of a link', '<a href=/s aria-label="Spela Starburst från NetEnt"></a>', ['netent']],
    [
      'a label with an ordinary name',
      '<a href=/s aria-label="Jugar Crazy Time de Evolution"></a>',
      ['evolution'],
    ],
    ['a title beside the name of the game', '<img alt="Razor" title="Razor | Wazdan">', ['wazdan']],
    [
      'a title that begins with the game',
      '<img alt="Wild Toro" title="Wild Toro by ELK Studios">',
      ['elk-studios'],
    ],
    ['the title of a link', '<a href=/g title="Starburst – NetEnt"><img alt="Starburst"></a>', ['netent']],
    ['brackets', '<img alt="Roulette éclair (Evolution)">', ['evolution']],
    ['the text of a tile', '<p>9 Lions – Wazdan</p>', ['wazdan']],
    ['a name before the game', '<img title="Pragmatic Play: Sugar Rush">', ['pragmatic-play']],
  ])('a studio is read from %s', (_name, html, expected) => {
    expect(studiosOn(html)).toEqual(expected)
  })

  test.each([
    ['a label that announces', '<img alt="Starburst" title="Coming soon: Starburst by NetEnt">'],
    [
      'a name within a longer label',
      '<button aria-label="Play sample of The Inspired Gardener by Evolution Press"></button>',
    ],
    ['an ordinary word before a sign', '<img alt="Harbour" title="Relax | Harbour at dusk">'],
    ['an ordinary word after "of"', '<img alt="Roulette" title="Roulette | Evolution of a game">'],
    ['a short name alone', '<img alt="Eye of Horus (Blueprint)">'],
    ['a podcast', '<button aria-label="Play episode 5: Evolution of slots, ten years on"></button>'],
  ])('no studio is read from %s', (_name, html) => {
    expect(studiosOn(html)).toEqual([])
  })

  test('short names count in tiles beside two clear ones', () => {
    const tiles = ['A (NetEnt)', 'B (Evolution)', 'C (Blueprint)'].map(alt => `<img alt="${alt}">`).join('')
    expect(studiosOn(tiles)).toEqual(['blueprint-gaming', 'evolution', 'netent'])
  })
})

describe('columns of studios', () => {
  const tiles = (...names: string[]) =>
    `<ul>${names.map((name, n) => `<li><b>Game ${n}</b><span>${name}</span></li>`).join('')}</ul>`

  test('ordinary names in the same element of each tile are studios', () => {
    expect(studiosOn(tiles('Quickspin', 'Evolution', 'Red Tiger'))).toEqual([
      'evolution',
      'quickspin',
      'red-tiger',
    ])
    const articles = ['Yggdrasil', 'Relax', 'Blueprint'].map(
      name => `<article><h3>Game</h3><p>${name}</p></article>`,
    )
    expect(studiosOn(articles.join(''))).toEqual(['blueprint-gaming', 'relax-gaming', 'yggdrasil'])
  })

  test('a column with other words, or without a clear name, has no studios', () => {
    expect(studiosOn(tiles('Relax', 'Calm', 'Blueprint', 'Quiet'))).toEqual([])
    expect(studiosOn(tiles('Relax', 'Push', 'Blueprint'))).toEqual([])
  })
})

describe('lists of studios', () => {
  test.each([
    [
      'buttons',
      '<button>Red Tiger</button><button>Evolution</button><button>Quickspin</button>',
      ['evolution', 'quickspin', 'red-tiger'],
    ],
    [
      'two names beside each other',
      '<ul><li>EGT</li><li>Pragmatic Play</li></ul>',
      ['egt', 'pragmatic-play'],
    ],
    ['a label before them', '<p>Sağlayıcılar: Pragmatic Play, EGT</p>', ['egt', 'pragmatic-play']],
    ['a label before one', '<p>Provider of our live tables: Evolution.</p>', ['evolution']],
    [
      'a heading above them',
      '<h3>Our providers</h3><img alt="Evolution"><img alt="Hacksaw">',
      ['evolution', 'hacksaw-gaming'],
    ],
    [
      'the class around them',
      '<div class="home-providers"><span>Relax</span><span>Push</span></div>',
      ['push-gaming', 'relax-gaming'],
    ],
    [
      'a sentence',
      '<p>Never dull: NetEnt, Betsoft and Evolution fill our lobby.</p>',
      ['betsoft', 'evolution', 'netent'],
    ],
  ])('ordinary names are read in %s', (_name, html, expected) => {
    expect(studiosOn(html)).toEqual(expected)
  })

  test.each([
    ['words of a list', '<ul><li>Inspired</li><li>Calm</li><li>Blueprint</li></ul>'],
    ['a sensor', '<ul><li>EGT sensor – exhaust gas temperature</li><li>EGR valve</li></ul>'],
    ['a refusing list', '<h3>Not available</h3><img alt="NetEnt"><img alt="Playtech"><img alt="Wazdan">'],
  ])('no studio is read from %s', (_name, html) => {
    expect(studiosOn(html)).toEqual([])
  })
})
