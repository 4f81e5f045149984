/** A market of §2.2, or `ukraine`: a regime that licenses or blocks gambling. Some have no stream yet. */
export type Market = {
  code: string
  /** `Great Britain`, `New Jersey (US)`. */
  name: string
  /** ISO 3166-1 alpha-2; null outside of any country. */
  country: string | null
  /** With its abbreviation, which people search for. */
  regulator: string
}

const rows: readonly (readonly [code: string, name: string, country: string | null, regulator: string])[] = [
  ['mga', 'Malta', 'MT', 'Malta Gaming Authority (MGA)'],
  ['ukgc', 'Great Britain', 'GB', 'Gambling Commission (Great Britain)'],
  ['curacao', 'Curaçao', 'CW', 'Curaçao Gaming Authority (CGA)'],
  ['anjouan', 'Anjouan (Comoros)', 'KM', 'Anjouan Offshore Finance Authority (AOFA)'],
  ['gibraltar', 'Gibraltar', 'GI', 'Gibraltar Gambling Commissioner'],
  ['isle_of_man', 'Isle of Man', 'IM', 'Isle of Man Gambling Supervision Commission (GSC)'],
  ['kahnawake', 'Kahnawà:ke', 'CA', 'Kahnawà:ke Gaming Commission (KGC)'],
  ['belgium', 'Belgium', 'BE', 'Belgian Gaming Commission'],
  ['germany', 'Germany', 'DE', 'Gemeinsame Glücksspielbehörde der Länder (GGL)'],
  [
    'ontario',
    'Ontario (Canada)',
    'CA',
    'iGaming Ontario (iGO) and Alcohol and Gaming Commission of Ontario (AGCO)',
  ],
  ['france', 'France', 'FR', 'Autorité nationale des jeux (ANJ)'],
  [
    'argentina',
    'Argentina',
    'AR',
    'The lotteries and institutes of its provinces; there is no national regulator',
  ],
  ['portugal', 'Portugal', 'PT', 'Serviço de Regulação e Inspeção de Jogos (SRIJ)'],
  ['sweden', 'Sweden', 'SE', 'Spelinspektionen (Swedish Gambling Authority)'],
  ['greece', 'Greece', 'GR', 'Hellenic Gaming Commission (HGC)'],
  ['spain', 'Spain', 'ES', 'Dirección General de Ordenación del Juego (DGOJ)'],
  ['italy', 'Italy', 'IT', 'Agenzia delle Dogane e dei Monopoli (ADM)'],
  ['colombia', 'Colombia', 'CO', 'Coljuegos'],
  ['ireland', 'Ireland', 'IE', 'Gambling Regulatory Authority of Ireland (GRAI)'],
  ['brazil', 'Brazil', 'BR', 'Secretaria de Prêmios e Apostas (SPA), Ministério da Fazenda'],
  ['australia', 'Australia', 'AU', 'Australian Communications and Media Authority (ACMA)'],
  ['us_pennsylvania', 'Pennsylvania (US)', 'US', 'Pennsylvania Gaming Control Board (PGCB)'],
  ['us_new_jersey', 'New Jersey (US)', 'US', 'New Jersey Division of Gaming Enforcement (DGE)'],
  ['us_michigan', 'Michigan (US)', 'US', 'Michigan Gaming Control Board (MGCB)'],
  ['us_iowa', 'Iowa (US)', 'US', 'Iowa Racing and Gaming Commission (IRGC)'],
  ['us_illinois', 'Illinois (US)', 'US', 'Illinois Gaming Board (IGB)'],
  ['us_wyoming', 'Wyoming (US)', 'US', 'Wyoming Gaming Commission (WGC)'],
  ['us_maryland', 'Maryland (US)', 'US', 'Maryland Lottery and Gaming Control Agency (MLGCA)'],
  ['us_arizona', 'Arizona (US)', 'US', 'Arizona Department of Gaming (ADG)'],
  ['us_new_york', 'New York (US)', 'US', 'New York State Gaming Commission (NYSGC)'],
  ['us_massachusetts', 'Massachusetts (US)', 'US', 'Massachusetts Gaming Commission (MGC)'],
  ['us_vermont', 'Vermont (US)', 'US', 'Vermont Department of Liquor and Lottery (DLL)'],
  ['us_connecticut', 'Connecticut (US)', 'US', 'Connecticut Department of Consumer Protection (DCP)'],
  ['us_west_virginia', 'West Virginia (US)', 'US', 'West Virginia Lottery'],
  ['us_colorado', 'Colorado (US)', 'US', 'Colorado Division of Gaming'],
  ['us_indiana', 'Indiana (US)', 'US', 'Indiana Gaming Commission (IGC)'],
  ['us_maine', 'Maine (US)', 'US', 'Maine Gambling Control Unit (GCU)'],
  ['us_tennessee', 'Tennessee (US)', 'US', 'Tennessee Sports Wagering Council (SWC)'],
  ['us_virginia', 'Virginia (US)', 'US', 'Virginia Lottery'],
  ['us_oregon', 'Oregon (US)', 'US', 'Oregon State Lottery'],
  ['us_california', 'California (US)', 'US', 'California Gambling Control Commission (CGCC)'],
  ['us_ohio', 'Ohio (US)', 'US', 'Ohio Casino Control Commission (OCCC)'],
  ['us_kentucky', 'Kentucky (US)', 'US', 'Kentucky Horse Racing and Gaming Corporation (KHRGC)'],
  ['us_louisiana', 'Louisiana (US)', 'US', 'Louisiana Gaming Control Board (LGCB)'],
  ['us_north_carolina', 'North Carolina (US)', 'US', 'North Carolina State Lottery Commission'],
  ['us_delaware', 'Delaware (US)', 'US', 'Delaware Lottery'],
  ['us_district_of_columbia', 'District of Columbia (US)', 'US', 'DC Office of Lottery and Gaming (OLG)'],
  ['us_missouri', 'Missouri (US)', 'US', 'Missouri Gaming Commission (MGC)'],
  ['us_nevada', 'Nevada (US)', 'US', 'Nevada Gaming Control Board (NGCB)'],
  ['us_mississippi', 'Mississippi (US)', 'US', 'Mississippi Gaming Commission (MGC)'],
  ['netherlands', 'Netherlands', 'NL', 'Kansspelautoriteit (KSA)'],
  ['denmark', 'Denmark', 'DK', 'Spillemyndigheden (Danish Gambling Authority)'],
  ['romania', 'Romania', 'RO', 'Oficiul Național pentru Jocuri de Noroc (ONJN)'],
  ['switzerland_esbk', 'Switzerland (casinos)', 'CH', 'Eidgenössische Spielbankenkommission (ESBK)'],
  ['ca_alberta', 'Alberta (Canada)', 'CA', 'Alberta Gaming, Liquor and Cannabis (AGLC)'],
  [
    'au_northern_territory',
    'Northern Territory (Australia)',
    'AU',
    'Northern Territory Racing and Wagering Commission (NTRWC)',
  ],
  ['au_south_australia', 'South Australia', 'AU', 'Consumer and Business Services (CBS), South Australia'],
  ['ar_caba', 'City of Buenos Aires (Argentina)', 'AR', 'Lotería de la Ciudad de Buenos Aires (LOTBA)'],
  [
    'ar_buenos_aires',
    'Province of Buenos Aires (Argentina)',
    'AR',
    'Instituto Provincial de Lotería y Casinos (IPLyC), Provincia de Buenos Aires',
  ],
  ['ar_mendoza', 'Mendoza (Argentina)', 'AR', 'Instituto Provincial de Juegos y Casinos (IPJyC), Mendoza'],
  ['ar_neuquen', 'Neuquén (Argentina)', 'AR', 'Instituto Provincial de Juegos de Azar del Neuquén (IJAN)'],
  ['uzbekistan_napp', 'Uzbekistan', 'UZ', 'National Agency of Perspective Projects (NAPP)'],
  ['benin', 'Benin', 'BJ', 'Cellule de Supervision du secteur des Jeux (CSJ)'],
  ['botswana', 'Botswana', 'BW', 'Gambling Authority of Botswana'],
  ['ghana', 'Ghana', 'GH', 'Gaming Commission of Ghana'],
  [
    'guinea_conakry',
    'Guinea',
    'GN',
    'Autorité de Régulation des Sociétés de Jeux et des Pratiques Assimilées (ARSJPA)',
  ],
  ['liberia', 'Liberia', 'LR', 'National Lottery Authority of Liberia (NLA)'],
  ['ng_fct', 'Federal Capital Territory (Nigeria)', 'NG', 'FCT Lottery Regulatory Office (FCT-LRO)'],
  ['ng_lagos', 'Lagos State (Nigeria)', 'NG', 'Lagos State Lotteries and Gaming Authority (LSLGA)'],
  ['tanzania_mainland', 'Tanzania (mainland)', 'TZ', 'Gaming Board of Tanzania (GBT)'],
  ['uganda', 'Uganda', 'UG', 'National Lotteries and Gaming Regulatory Board (NLGRB)'],
  ['slovakia', 'Slovakia', 'SK', 'Úrad pre reguláciu hazardných hier (ÚRHH)'],
  ['cyprus', 'Cyprus', 'CY', 'National Betting Authority (NBA)'],
  // The Lotteries and Gambling Supervisory Inspection (IAUI) was merged into the VID on 1 April 2026.
  ['latvia', 'Latvia', 'LV', 'Valsts ieņēmumu dienests (VID, State Revenue Service)'],
  ['hungary', 'Hungary', 'HU', 'Szabályozott Tevékenységek Felügyeleti Hatósága (SZTFH)'],
  ['georgia', 'Georgia', 'GE', 'Revenue Service of Georgia, Ministry of Finance'],
  [
    'kazakhstan',
    'Kazakhstan',
    'KZ',
    'Committee for Regulation of Gambling Business and Lotteries, Ministry of Tourism and Sports',
  ],
  ['tobique', 'Tobique First Nation', 'CA', 'Tobique Gaming Commission (TGC)'],
  ['peru', 'Peru', 'PE', 'Ministerio de Comercio Exterior y Turismo (MINCETUR)'],
  ['czechia', 'Czechia', 'CZ', 'Ministry of Finance of the Czech Republic'],
  ['poland', 'Poland', 'PL', 'Ministry of Finance of the Republic of Poland'],
  ['uruguay', 'Uruguay', 'UY', 'Dirección Nacional de Loterías y Quinielas (DNLQ)'],
  ['croatia', 'Croatia', 'HR', 'Ministry of Finance of the Republic of Croatia'],
  ['austria', 'Austria', 'AT', 'Bundesministerium für Finanzen (BMF)'],
  ['estonia', 'Estonia', 'EE', 'Estonian Tax and Customs Board (EMTA)'],
  ['jersey', 'Jersey', 'JE', 'Jersey Gambling Commission (JGC)'],
  ['alderney', 'Alderney', 'GG', 'Alderney Gambling Control Commission (AGCC)'],
  ['us_kansas', 'Kansas (US)', 'US', 'Kansas Racing and Gaming Commission (KRGC)'],
  ['philippines', 'Philippines', 'PH', 'Philippine Amusement and Gaming Corporation (PAGCOR)'],
  ['puerto_rico', 'Puerto Rico', 'PR', 'Comisión de Juegos del Gobierno de Puerto Rico'],
  ['fbih', 'Federation of Bosnia and Herzegovina', 'BA', 'Federalno ministarstvo finansija (FMF)'],
  ['bulgaria', 'Bulgaria', 'BG', 'National Revenue Agency (NRA)'],
  ['dominican_republic', 'Dominican Republic', 'DO', 'Dirección de Casinos y Juegos de Azar (DCJA)'],
  [
    'united_arab_emirates',
    'United Arab Emirates',
    'AE',
    'General Commercial Gaming Regulatory Authority (GCGRA)',
  ],
  ['russia', 'Russia', 'RU', 'Federal Tax Service (FNS)'],
  ['ukraine', 'Ukraine', 'UA', 'PlayCity (State Agency of Ukraine PlayCity)'],
]

/** In the order of §2.2, `ukraine` last. */
export const markets: readonly Market[] = rows.map(([code, name, country, regulator]) => ({
  code,
  name,
  country,
  regulator,
}))

const byCode = new Map(markets.map(market => [market.code, market]))

export function findMarket(code: string): Market | undefined {
  return byCode.get(code)
}
