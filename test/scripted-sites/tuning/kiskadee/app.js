(()=>{var h=(t,p,...c)=>({t,p:p||{},c:c.flat()});
var m=(v,r)=>{if(typeof v==="string")return r.appendChild(document.createTextNode(v));var e=document.createElement(v.t);for(var k in v.p)e.setAttribute(k,v.p[k]);v.c.forEach(c=>m(c,e));r.appendChild(e)};
var games=[["Templo del Quetzal","PG Soft"],["Fiesta Piñata","Habanero"],["Crash Colibrí","Spribe"],["Ruleta en Vivo","Ezugi"]];
var pay=["PSE","Nequi","Efecty","Daviplata"];
var App=h("div",{class:"l"},h("header",null,h("a",{href:"/casino"},"Casino"),h("a",{href:"/deportes"},"Apuestas deportivas"),h("a",{href:"/registro"},"Regístrate"),h("a",{href:"/depositar"},"Depositar")),
h("section",{class:"g"},games.map(g=>h("article",null,h("img",{src:"/t/"+encodeURIComponent(g[0])+".jpg",alt:g[0]}),h("p",null,g[0]),h("em",null,g[1])))),
h("section",null,h("h4",null,"Medios de pago"),pay.map(p=>h("img",{src:"/p/x.svg",alt:p}))),
h("footer",null,"Kiskadee Bet es operado por Benteveo Juegos S.A.S., NIT 901.882.310-4, autorizado por Coljuegos mediante contrato de concesión C1981."));
document.addEventListener("DOMContentLoaded",()=>m(App,document.getElementById("app")));})()
