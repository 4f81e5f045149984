import { expect, test } from 'vitest'
import { readDomain } from '../core/domain-name.ts'
import { isSharedHost, sharedHosts } from './shared-hosts.ts'

test('every host of the list is a registrable domain whose own sites would share its verdict', () => {
  const misplaced = [...sharedHosts].filter(host => {
    const below = readDomain(`someone.${host}`)
    return !below.ok || below.domain !== host
  })
  expect(misplaced).toEqual([])
})

test('social networks, app stores, free hosting and the like are shared; a casino is not', () => {
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
