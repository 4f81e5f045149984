import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { judgeEntry } from './judge-entry.ts'

type Labelled = { domain: string; hosts: string[]; wholeSite: boolean }

/**
 * All domains that real lists name by deeper hosts only, labelled by hand. `whole` means the host is the
 * site itself. `innocent` means it is, or may be, another party's.
 */
const labelled: Labelled[] = readFileSync(new URL('deeper-hosts.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .filter(line => !line.startsWith('#'))
  .map(line => {
    const [label, domain = '', fronts = ''] = line.split('\t')
    return {
      domain,
      hosts: fronts.split(' ').map(front => `${front}.${domain}`),
      wholeSite: label === 'whole',
    }
  })

const scopeOf = (host: string, domain: string) => judgeEntry({ domain, host, path: null })
const isCondemned = ({ domain, hosts }: Labelled) => hosts.some(host => scopeOf(host, domain) === 'domain')

describe('all deeper hosts of the real lists', () => {
  test('the rule for deeper hosts blocks no innocent site of the real lists', () => {
    const innocent = labelled.filter(site => !site.wholeSite)
    expect(innocent.length).toBeGreaterThan(100)
    expect(innocent.filter(isCondemned)).toEqual([])
  })

  test('the rule for deeper hosts finds 81 % of hosts that mean a whole site, with precision 1', () => {
    const condemned = labelled.filter(isCondemned)
    const meant = labelled.filter(site => site.wholeSite)
    const right = condemned.filter(site => site.wholeSite)
    expect(right.length / condemned.length).toBe(1)
    expect(right.length / meant.length).toBeCloseTo(0.81, 2)
  })
})

describe('entries of blocklists', () => {
  test.each([
    ['badcasino.example', 'badcasino.example'],
    ['www.badcasino.example', 'badcasino.example'],
    ['m.de.something.example', 'something.example'],
    ['www2.something.example', 'something.example'],
    ['12.something.example', 'something.example'],
    ['it2.something.example', 'something.example'],
    ['app.something.example', 'something.example'],
    ['casino.goodbet.example', 'goodbet.example'],
    ['m6b6bea.goodbet.example', 'goodbet.example'],
    ['play.kingcasino.example', 'kingcasino.example'],
  ])('a blocklist entry of %s blocks the whole site %s', (host, domain) => {
    expect(scopeOf(host, domain)).toBe('domain')
  })

  test.each([
    ['www.friendsreunitedpoker.itv.com', 'itv.com'],
    ['games.netent.com', 'netent.com'],
    ['bet.dotfusion.ro', 'dotfusion.ro'],
    ['betfirst.dhnet.be', 'dhnet.be'],
    ['casino-barriere-fr.play.search.com', 'search.com'],
    ['eubg.custhelp.com', 'custhelp.com'],
    ['www.casino.playboy.com', 'playboy.com'],
    ['casino.betsoft.com', 'betsoft.com'],
    ['poker.bettyshop.example', 'bettyshop.example'],
    ['casino.alphabet.example', 'alphabet.example'],
    ['play.beton.example', 'beton.example'],
    ['casino.casinonews.example', 'casinonews.example'],
  ])('a blocklist entry of %s does not block %s', (host, domain) => {
    expect(scopeOf(host, domain)).toBe('host')
  })

  test('a blocklist entry of a path or of a shared host does not block a site', () => {
    expect(judgeEntry({ domain: 'some.example', host: 'some.example', path: '/casino' })).toBe('path')
    expect(judgeEntry({ domain: 'siol.net', host: 'casino.siol.net', path: null })).toBe('shared_host')
    expect(judgeEntry({ domain: 't.me', host: 't.me', path: '/casino' })).toBe('shared_host')
  })
})
