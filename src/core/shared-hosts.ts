/**
 * Registrable domains that host many parties and are not on the Public Suffix List. A block or an
 * authorisation of one of their pages is stored as evidence and gives no verdict (contract section 8, "What
 * blocks it"). Maintained by hand.
 */
const hostsByKind = {
  socialNetworks: `
    facebook.com fb.com fb.me instagram.com threads.net twitter.com x.com linkedin.com tiktok.com
    pinterest.com reddit.com tumblr.com vk.com vk.ru ok.ru snapchat.com quora.com weibo.com mastodon.social
    bsky.app xing.com patreon.com nk.pl`,
  messengers: `
    t.me telegram.me telegram.org telegram.dog whatsapp.com wa.me viber.com discord.com discord.gg line.me
    signal.org messenger.com m.me skype.com slack.com wechat.com kakao.com zalo.me`,
  videoPlatforms: `
    youtube.com youtu.be twitch.tv kick.com vimeo.com dailymotion.com rumble.com rutube.ru odysee.com
    trovo.live`,
  appStores: `
    apple.com google.com microsoft.com amazon.com samsung.com huawei.com galaxystore.com apkpure.com
    apkmirror.com aptoide.com uptodown.com apkcombo.com softonic.com appbrain.com f-droid.org rustore.ru
    mi.com`,
  linkShorteners: `
    bit.ly bitly.com tinyurl.com t.co goo.gl ow.ly is.gd v.gd cutt.ly rebrand.ly shorturl.at rb.gy buff.ly
    lnkd.in t.ly tiny.cc s.id bl.ink clck.ru vk.cc u.to linktr.ee beacons.ai taplink.cc taplink.at lnk.bio
    bio.link onelink.me app.link page.link adj.st`,
  sitesAndBlogs: `
    wordpress.com wix.com weebly.com webnode.com webnode.it webnode.cz webnode.sk webnode.pl webnode.fr
    jimdo.com jimdofree.com squarespace.com strikingly.com tilda.ws ucoz.com ucoz.ru ucoz.net narod.ru
    livejournal.com over-blog.com over-blog.it over-blog.net myblog.it tripod.com angelfire.com blogger.com
    medium.com substack.com ghost.io telegra.ph typepad.com skyrock.com freevar.com 000webhostapp.com
    byethost.com infinityfreeapp.com epizy.com freehostia.com canva.site mystrikingly.com godaddysites.com
    blog.hu blox.pl bloog.pl e-monsite.com 50megs.com awardspace.com beepworld.de beepworld.it bigcartel.com
    blog.cz bravehost.com business.site cba.pl company.site estranky.cz estranky.sk fc2.com fortunecity.com
    fortunecity.ws freeservers.com geocities.com home.ro hostingersite.com hypermart.net jimdo.it
    jimdosite.com mozello.com narod2.ru nicepage.io notion.so oneminutesite.it onweb.it page.tl simdif.com
    site123.me tiiny.site tripod.co.uk tripod.it ucoz.ua uv.ro webador.com webnode.page webs.com
    weeblysite.com wpcomstaging.com wpengine.com xoom.it`,
  namesGivenAwayBelow: `
    co.cc co.ee co.nr cu.cc cz.cc`,
  portals: `
    yahoo.com msn.com aol.com freenet.de gmx.net i.ua interia.pl libero.it mail.ru meta.ua o2.pl onet.pl
    rambler.ru seznam.cz siol.net t-online.de tiscali.it ukr.net virgilio.it web.de wp.pl yandex.ru`,
  forums: `
    forumfree.it forumcommunity.net forumactif.com forumotion.com proboards.com tapatalk.com boards.net
    disqus.com`,
  cloudsAndCaches: `
    amazonaws.com windows.net googleusercontent.com github.com gitlab.com archive.org dropbox.com
    googlesyndication.com doubleclick.net b-cdn.net`,
} as const

export const sharedHosts: ReadonlySet<string> = new Set(
  Object.values(hostsByKind).flatMap(names => names.split(/\s+/).filter(name => name !== '')),
)

/** Blogger has a name below many country codes; the Public Suffix List has only some of them. */
const blogspot = /^blogspot\.[a-z]{2,3}(?:\.[a-z]{2})?$/

/** `domain` is canonical, as `readDomain` returns it. */
export function isSharedHost(domain: string): boolean {
  return sharedHosts.has(domain) || blogspot.test(domain)
}
