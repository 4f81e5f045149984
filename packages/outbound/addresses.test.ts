import { expect, test } from 'vitest'
import { isPublicAddress } from './check-target.ts'

const privateAddresses = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254', // The metadata service of clouds.
  '168.63.129.16', // The metadata service of Azure.
  '::ffff:168.63.129.16',
  '100.64.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '4000::1', // This range is unassigned.
  'localhost',
  '',
]

const publicAddresses = [
  '1.1.1.1',
  '93.184.215.14',
  '172.15.0.1',
  '172.32.0.1',
  '::ffff:1.1.1.1',
  '2606:4700::1111',
  '2a00:1450::5',
]

test('only global unicast addresses are public, in every spelling', () => {
  expect(privateAddresses.filter(isPublicAddress)).toEqual([])
  expect(publicAddresses.filter(isPublicAddress)).toEqual(publicAddresses)
})
