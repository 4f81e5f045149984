import type { DomainProblem } from './domain-name.ts'

/** Error messages start with "the value" and continue with these words. */
export const domainProblemWords: Record<DomainProblem, string> = {
  empty: 'is empty',
  ip_address: 'is an IP address, not a domain',
  no_dot: 'is one word without a dot',
  unknown_suffix: 'ends with a suffix that does not exist',
  bare_suffix: 'is a public suffix, not a domain of its own',
  comma_for_dot: 'has a comma in place of a dot',
  blank_inside: 'has a blank inside',
  several_sites: 'contains several domains',
  empty_label: 'has two dots in a row, or one at the beginning',
  edge_hyphen: 'has a name that begins or ends with a hyphen',
  underscore: 'has an underscore in its registrable name',
  forbidden_character: 'has a character that domains cannot have',
  bad_punycode: 'has punycode (xn--) that cannot be decoded',
  too_long: 'is too long for a domain',
  mail_address: 'is a mail address, not a website',
  other_scheme: 'has a scheme other than http and https',
  not_a_domain: 'is not a domain',
}
