/**
 * Sites that help gamblers, certify games or report on them. Pages of regulators link them beside the sites
 * of licensees, and none of them holds a gambling license. Registrable domains, maintained by hand.
 */
const sites = `
  ncpgambling.org 1800gambler.net 1800gambler.org 800gambler.org gamblersanonymous.org gam-anon.org
  problemgambling.ca problemgambling.az.gov azccg.org connexontario.ca 1800myreset.org
  begambleaware.org gambleaware.org gamcare.org.uk gamstop.co.uk gordonmoody.org.uk gamblingtherapy.org
  gamblinghelponline.org.au betstop.gov.au gamblinghelp.nsw.gov.au
  jugarbien.es fejar.org ludopatia.org joueurs-info-service.fr evalujeu.fr sos-joueurs.org
  stodlinjen.se spelpaus.se stopspillet.dk rofus.nu hjelpelinjen.no peluuri.fi
  check-dein-spiel.de bzga.de buwei.de spielsucht-schweiz.ch sos-spielsucht.ch careplay.ch
  agog.nl cruksregister.nl loketkansspel.nl kansspelloket.nl jogoresponsavel.pt iaj.pt
  responsiblegambling.org responsiblegambling.eu responsiblegaming.org.mt rgf.org.mt
  jucatoriianonimi.ro jocresponsabil.ro kethea-alfa.gr anonimoigamblers.gr safergambling.gov.cy
  problemgambling.ie gamblingcare.ie ecogra.org itechlabs.com gaminglabs.com bmm.com
  ibia.bet americangaming.org
`

export const helpSites: ReadonlySet<string> = new Set(sites.split(/\s+/).filter(site => site !== ''))
