"""The moves and dice of the two tutorials of Blitzkrieg General: lines, places, ranges and strengths only.

One fact per row: the line of the English rulebook's text edition, then
  attack WHO FROM TO RANGE    a land attack: single range, through friendly or enemy areas
  move WHO FROM TO RANGE      a land move: double range, friendly areas only
  fly WHO FROM TO RANGE       an air mission: no neutral airspace
  base WHO FROM TO RANGE      a rebase: double range, friendly land or sea only
  home WHO FROM TO RANGE      back from a mission to friendly land
  no-fly WHO FROM TO RANGE    a mission out of range
  rail WHO FROM TO            a way through friendly areas
  sail LIMIT ZONE ZONE ...    a voyage through these zones
  land, coast, sea, touch A B the two are joined by such a link (touch: by any)
  take AREA WHO               the area changes hands
"""

from __future__ import annotations

BASIC = """
3898 attack germany prussia western_poland 1
3898 attack germany austria western_poland 1
3899 sail 3 skagerrak baltic_sea
3900 move germany bavaria western_germany 1
3903 attack japan shanghai wuhan 1
3903 fly japan shanghai wuhan 2
3937 move japan manchuria shanghai 1
3941 coast southern_japan chinese_sea
3942 sail 3 chinese_sea sea_formosa
3942 coast sea_formosa sinkiang
3945 coast chinese_sea shanghai
3954 no-fly france paris western_poland 2
3954 no-fly be england western_poland 2
3957 move china sian wuhan 1
3957 land sian wuhan
4026 land western_poland east_poland
4026 take western_poland germany
4047 coast sea_formosa sinkiang
4047 take sinkiang japan
4088 land wuhan shanghai
4095 move germany western_poland prussia 1
4096 attack germany western_poland lwow 1
4096 take lwow germany
4096 attack germany western_poland east_poland 1
4096 fly germany western_poland east_poland 2
4100 move germany western_poland prussia 2
4106 attack japan shanghai sian 1
4109 move japan shanghai peking 2
4112 fly japan shanghai sian 2
4117 fly china wuhan sian 2
4120 move china wuhan sian 1
4154 take east_poland germany
4156 home germany east_poland prussia 2
4191 land sian pakoe
4191 land sian wuhan
4191 take sian japan
4192 home japan sian shanghai 2
4203 move ussr east_siberia stanovoj 1
4205 base ussr ural vladivostok 2
4209 move ussr moscow ural 1
4211 attack china pakoe sian 1
4211 attack china wuhan sian 1
4215 attack france maginot western_germany 1
4216 attack france paris western_germany 2
4216 fly france paris western_germany 2
4217 move france vichy maginot 1
4223 coast alexandria levantianian_sea
4223 sail 6 levantianian_sea ligurian_sea
4223 coast ligurian_sea vichy
4229 sail 3 north_sea skagerrak
4229 sail 3 skandinavian_sea skagerrak
4231 sea skagerrak baltic_sea
4231 sail 3 skandinavian_sea skagerrak baltic_sea
4236 sail 3 north_sea channel
4236 sail 3 skandinavian_sea channel
4236 coast england channel
4236 coast normandy channel
4241 fly be england western_germany 2
4248 move germany prussia western_germany 1
4248 touch prussia western_germany
4248 fly germany prussia western_germany 2
4253 land peking sian
4253 fly japan shanghai sian 2
4277 coast skagerrak western_germany
4350 land western_germany maginot
4350 home be western_germany paris 2
4389 land sian chansa
4389 land sian chunking
4389 land sian chentu
4395 move ussr kiev kharkov 2
4397 move china chentu pakoe 1
4515 touch east_poland western_poland
4515 touch lwow western_poland
"""

ADVANCED = """
4585 coast american_west_coast usa_west
4634 land western_poland prussia
4634 land western_poland austria
4634 land western_poland hungary
4637 touch cyreneica matruh
4637 touch matruh alexandria
4637 touch alexandria sudan
4637 rail be sudan south_africa
4638 coast alexandria red_sea
4638 sea red_sea persian_gulf
4645 rail germany paris romania
4645 rail germany prussia western_poland
4648 rail italy southern_italy northern_italy
4651 rail japan manchuria peking
4656 base germany western_germany western_poland 2
4656 base germany austria romania 2
4661 base japan southern_japan shanghai 3
4661 base japan formosa shanghai 3
4668 sail 3 skagerrak finnish_sea
4674 sail 3 ionian_sea levantianian_sea
4676 sail 3 adria aegean_sea
4678 sail 3 tyrrhenian_sea ligurian_sea
4682 sail 3 chinese_sea northern_chinese_sea
4682 coast northern_chinese_sea peking
4689 attack italy tripolitania cyreneica 1
4691 attack germany albania yugoslavia 1
4691 attack germany bulgaria yugoslavia 1
4691 attack germany northern_italy yugoslavia 1
4691 attack germany austria yugoslavia 1
4691 attack germany hungary yugoslavia 1
4700 attack finland finland karelia 1
4708 attack germany western_poland baltic 1
4708 attack germany western_poland east_poland 1
4708 attack germany western_poland lwow 1
4708 fly germany western_poland baltic 2
4708 fly germany western_poland east_poland 2
4708 fly germany western_poland lwow 2
4719 attack hungary hungary lwow 1
4721 attack romania romania odessa 1
4735 attack japan peking pakoe 1
4740 fly japan shanghai pakoe 3
4740 fly japan peking pakoe 3
4760 land sian pakoe
4808 land karelia leningrad
4808 home finland karelia finland 2
4808 take karelia finland
4847 land baltic leningrad
4847 take baltic germany
4935 land east_poland western_poland
4999 land lwow kiev
4999 land lwow romania
4999 take lwow germany
5005 coast black_sea odessa
5005 take odessa romania
5096 home germany odessa western_poland 2
5200 land yugoslavia greece
5200 take yugoslavia germany
5272 land cyreneica matruh
5272 take cyreneica italy
5319 land pakoe sian
5319 take pakoe japan
5334 attack germany yugoslavia greece 1
5334 fly germany yugoslavia greece 2
5341 attack germany cyreneica matruh 1
5345 attack germany baltic leningrad 1
5348 fly germany baltic leningrad 2
5348 fly finland finland leningrad 2
5348 fly germany western_poland leningrad 2
5352 attack germany western_poland white_russia 2
5352 land baltic white_russia
5352 fly germany lwow white_russia 2
5356 coast finnish_sea leningrad
5405 take greece italy
5405 take matruh germany
5405 take white_russia germany
5437 home be matruh alexandria 2
5536 home germany leningrad finland 2
5536 home germany leningrad western_poland 2
5536 home germany leningrad baltic 2
5543 take iraq germany
5556 rail china kunming gobi
5560 rail ussr jablonovy leningrad
5560 rail ussr stanovoj leningrad
5560 rail ussr vladivostok leningrad
5560 rail ussr trans_caucasus leningrad
5573 base ussr ural leningrad 2
5575 base ussr n_siberia smolensk 2
5576 base ussr kiev valdai 2
5587 coast channel england
5590 sail 6 cape_of_good_hope red_sea
5590 coast red_sea alexandria
5590 coast cape_of_good_hope south_africa
5593 sea sea_of_britain fareous_gap
5593 sea skandinavian_sea fareous_gap
5599 sail 6 sea_of_britain fareous_gap central_atlantic american_east_coast central_atlantic
5599 sea fareous_gap central_atlantic
5599 sea central_atlantic american_east_coast
5608 coast american_east_coast canada_east
5618 sea central_atlantic sea_of_britain
5621 sail 3 gibraltar_street ligurian_sea
5631 sail 3 levantianian_sea aegean_sea
5641 move be abessinia alexandria 1
5641 touch abessinia sudan
5641 touch sudan alexandria
5642 move be near_east alexandria 1
5646 move china sian chentu 1
5647 attack china sian peking 1
5648 fly china chunking peking 2
5648 fly china chansa peking 2
5650 move china wuhan sian 1
5657 attack ussr leningrad finland 1
5657 fly ussr leningrad finland 2
5660 fly ussr valdai finland 2
5660 fly ussr smolensk finland 2
5660 fly ussr vitebsk finland 2
5666 move ussr vitebsk leningrad 2
5668 move ussr pripiet valdai 1
5670 move ussr east_poland vitebsk 2
5670 move ussr east_poland pripiet 1
5673 move ussr kiev gomel 2
5673 move ussr kiev kharkov 2
5676 move ussr dnepropetrovsk crimea 2
5676 move ussr dnepropetrovsk kursk 2
5678 move ussr irkutsk voronesh 2
5682 fly germany baltic finland 2
5682 coast finnish_sea finland
5684 fly japan pakoe peking 3
5685 land shanghai peking
5698 fly be alexandria aegean_sea 2
5775 land peking sian
5829 take finland ussr
5829 home germany finland baltic 2
5845 attack ussr leningrad karelia 1
5845 fly ussr leningrad karelia 2
6032 coast bay_of_biscay western_france
6039 land paris western_france
"""

# Dice: line, the number of shots at each strength, and who fires. A shooter is TYPE STRENGTH @ AREA < FROM, with marks:
# d defends, b bad weather, s out of supply, i invades. "N x" repeats it; armour fires twice.
DICE = """
4776 | 3:1 2:1 1:1 | inf 3 @ karelia < finland, inf 2 @ karelia < finland, air 2 @ karelia
4821 | 4:2 3:3 2:1 | arm 5 @ baltic < western_poland, 2 x inf 4 @ baltic < western_poland, inf 3 @ baltic < western_poland, air 3 @ baltic
4839 | 2:4 | arm 2 @ baltic d, 2 x inf 2 @ baltic d
4892 | 4:1 3:3 2:2 | arm 4 @ east_poland < western_poland, 2 x inf 3 @ east_poland < western_poland, air 4 @ east_poland, air 3 @ east_poland
4946 | 4:3 2:1 1:1 | arm 5 @ lwow < western_poland, inf 3 @ lwow < western_poland, air 4 @ lwow, air 1 @ lwow, inf 2 @ lwow < hungary
5043 | 4:1 2:2 | inf 4 @ odessa < romania, 2 x inf 2 @ odessa < romania
5053 | 2:3 | inf 2 @ odessa d, arm 2 @ odessa d
5108 | 2:1 | inf 3 @ yugoslavia < hungary
5154 | 3:5 | arm 5 @ yugoslavia < bulgaria, inf 3 @ yugoslavia < bulgaria, inf 3 @ yugoslavia < northern_italy, inf 4 @ yugoslavia < austria
5183 | 4:1 3:4 | inf 3 @ yugoslavia d, 4 x inf 2 @ yugoslavia d
5255 | 2:5 | arm 2 @ cyreneica < tripolitania, inf 2 @ cyreneica < tripolitania, 2 x air 2 @ cyreneica
5294 | 3:2 1:1 | 2 x inf 4 @ pakoe < peking b, inf 2 @ pakoe < peking b
5303 | 5:1 4:1 3:2 | inf 4 @ pakoe d, inf 3 @ pakoe d, 2 x inf 2 @ pakoe d
5376 | 4:1 3:5 1:3 | inf 4 @ greece < yugoslavia, 3 x inf 3 @ greece < yugoslavia, arm 5 @ greece < yugoslavia, inf 1 @ greece < yugoslavia, 2 x air 2 @ greece
5467 | 3:4 | arm 5 @ leningrad < baltic, inf 4 @ leningrad < baltic, air 4 @ leningrad
5489 | 3:1 2:3 1:5 | inf 3 @ leningrad d, 3 x inf 2 @ leningrad d, 3 x inf 1 @ leningrad d, arm 2 @ leningrad d
5750 | 2:1 1:2 | inf 4 @ peking < sian b, 2 x inf 3 @ peking < sian b
5760 | 3:2 2:1 1:2 | 2 x inf 3 @ peking d, inf 2 @ peking d, 2 x air 2 @ peking db
5857 | 1:1 | inf 3 @ karelia ds, inf 2 @ karelia ds
5862 | 4:2 3:1 2:3 | 2 x inf 4 @ karelia < leningrad, inf 3 @ karelia < leningrad, arm 3 @ karelia < leningrad, air 3 @ karelia
6049 | 2:3 1:1 | inf 4 @ western_france i, arm 5 @ western_france i, inf 3 @ western_france i
6184 | 1:3 | inf 2 @ western_france i, arm 3 @ western_france i
6193 | 2:5 1:1 | inf 2 @ western_france d, inf 1 @ western_france d, 4 x air 2 @ western_france d
"""  # noqa: E501

# Seazones with task forces when the tutorial checks supply.
TASK_FORCES_AT_START = {
    "skagerrak": "axis", "ionian_sea": "axis", "levantianian_sea": "allies", "gibraltar_street": "allies",
    "skandinavian_sea": "allies", "finnish_sea": "allies", "black_sea": "allies",
}  # fmt: skip
TASK_FORCES_AFTER_AXIS = {
    "finnish_sea": "axis", "levantianian_sea": "axis allies", "gibraltar_street": "allies",
    "skandinavian_sea": "allies",
}  # fmt: skip
TASK_FORCES_LATE = {
    "ligurian_sea": "allies", "aegean_sea": "allies", "ionian_sea": "allies", "levantianian_sea": "axis",
    "finnish_sea": "axis", "sea_of_britain": "allies",
}  # fmt: skip
