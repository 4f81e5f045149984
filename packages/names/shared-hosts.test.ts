import { expect, test } from 'vitest'
import { readDomain } from './domain-name.ts'
import { isSharedHost, sharedHosts } from './shared-hosts.ts'

test('every shared host is a registrable domain, so that its subdomains would share a verdict', () => {
  const misplaced = [...sharedHosts].filter(host => {
    const below = readDomain(`someone.${host}`)
    return !below.ok || below.domain !== host
  })
  expect(misplaced).toEqual([])
})

test('social networks, app stores and free hosting are shared hosts, and a casino is not', () => {
  const shared = [
    'facebook.com',
    'apple.com',
    'google.com',
    't.me',
    'bit.ly',
    'youtube.com',
    'blogspot.it',
    'blogspot.co.uk',
    'wpengine.com',
    'bigcartel.com',
    'business.site',
    'co.ee',
    'web.de',
  ]
  expect(shared.filter(domain => !isSharedHost(domain))).toEqual([])
  expect(['casino.example', 'notfacebook.com', 'blogspot-casino.com'].filter(isSharedHost)).toEqual([])
})
